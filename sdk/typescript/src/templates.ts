// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
import type { CallOptions, Calls, ProgressOptions } from "./calls.js";
import type {
  TemplateBuild, TemplateDetails, TemplatePull, TemplatesLoaded, TemplatesRemoved, TemplateStep,
} from "./generated/schemas.js";

/** What sandboxes start from. */
export class Templates {
  constructor(private readonly calls: Calls) {}

  list(options?: CallOptions): Promise<TemplateDetails[]> {
    return this.calls.call("listTemplates", {}, options).then((answer) => answer.templates);
  }

  get(name: string, options?: CallOptions): Promise<TemplateDetails> {
    return this.calls.call("getTemplate", { path: { name } }, options);
  }

  /** How it was made, the newest step first. */
  history(name: string, options?: CallOptions): Promise<TemplateStep[]> {
    return this.calls.call("getTemplateHistory", { path: { name } }, options).then((answer) => answer.steps);
  }

  /** Fetches an image, or what is new of it. */
  pull(name: string, options: ProgressOptions & Omit<TemplatePull, "name"> = {}): Promise<TemplateDetails> {
    const { platform, from, ...rest } = options;
    const body = { name, ...(platform && { platform }), ...(from && { from }) };
    return this.calls.work("pullTemplate", { body }, rest);
  }

  /** Builds a Dockerfile. `directory` is a tar archive of what it needs; a daemon that dies meanwhile is an error. */
  build(build: TemplateBuild, directory: AsyncIterable<Uint8Array>, options?: ProgressOptions): Promise<TemplateDetails> {
    return this.calls.work("buildTemplate", { query: { build }, body: directory }, options);
  }

  /** Takes the images of an archive: `docker save`, an OCI layout, or a root file system, which needs a tag. */
  load(archive: AsyncIterable<Uint8Array>, options: ProgressOptions & { tag?: string } = {}): Promise<TemplatesLoaded> {
    const { tag, ...rest } = options;
    return this.calls.work("loadTemplates", { query: tag === undefined ? {} : { tag }, body: archive }, rest);
  }

  tag(name: string, tag: string, options?: CallOptions): Promise<TemplateDetails> {
    return this.calls.call("tagTemplate", { body: { name, tag } }, options);
  }

  /** Takes a name away, and with the last one the template. */
  remove(name: string, options?: CallOptions): Promise<TemplatesRemoved> {
    return this.calls.call("deleteTemplate", { path: { name } }, options);
  }

  /** Removes those without a name and a sandbox; with `all`, also those that have a name. */
  prune(options: CallOptions & { all?: boolean } = {}): Promise<TemplatesRemoved> {
    return this.calls.call("pruneTemplates", { body: { all: options.all ?? false } }, options);
  }

  /** An archive that `docker load` takes. One that breaks off throws. */
  async *archive(name: string, options?: CallOptions): AsyncGenerator<Uint8Array> {
    const { body } = await this.calls.stream("getTemplateArchive", { path: { name } }, options);
    yield* body;
  }
}

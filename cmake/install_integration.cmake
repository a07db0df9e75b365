# Run by cmake --install with: client, the built sandbox; sources, this repository.
set(root $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX})

# The docker client takes a program of this name in this directory for its command `sandbox`.
file(MAKE_DIRECTORY ${root}/lib/docker/cli-plugins)
file(CREATE_LINK ../../../bin/sandbox ${root}/lib/docker/cli-plugins/docker-sandbox SYMBOLIC)

# `secrets add` is `sandbox secret add`.
file(CREATE_LINK sandbox ${root}/bin/secrets SYMBOLIC)

file(MAKE_DIRECTORY ${root}/lib/systemd/user)
configure_file(${sources}/packaging/sandboxd.service.in ${root}/lib/systemd/user/sandboxd.service @ONLY)
configure_file(${sources}/packaging/sandboxd-sandboxes.service ${root}/lib/systemd/user/ COPYONLY)

# A manual page for each command, from the same table as its help.
set(manuals ${root}/share/man/man1)
execute_process(COMMAND ${client} docs man ${manuals} COMMAND_ERROR_IS_FATAL ANY)
file(GLOB pages ${manuals}/sandbox.1 ${manuals}/sandbox-*.1)
execute_process(COMMAND gzip -9nf ${pages} COMMAND_ERROR_IS_FATAL ANY)

function(install_completion shell file)
  get_filename_component(directory ${root}/${file} DIRECTORY)
  file(MAKE_DIRECTORY ${directory})
  execute_process(COMMAND ${client} completion ${shell} OUTPUT_FILE ${root}/${file} COMMAND_ERROR_IS_FATAL ANY)
  message(STATUS "Installing: ${root}/${file}")
endfunction()
install_completion(bash share/bash-completion/completions/sandbox)
install_completion(zsh share/zsh/site-functions/_sandbox)
install_completion(fish share/fish/vendor_completions.d/sandbox.fish)

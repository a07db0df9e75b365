# What makes a mistake in our own programs harder to use, when they are linked; cmake/warnings.cmake has what the compiler
# does. tests/programs/hardening_test.py reads it back from what was built.
add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)

# At an address of chance, static or not.
function(harden_program name)
  target_link_options(${name} PRIVATE -pie)
endfunction()
function(harden_static_program name)
  target_link_options(${name} PRIVATE -static-pie -s)
endfunction()

// The modules are made of whole rooms; CMake wants one source for a program.

"""C++, as C is: all source files of a bundle make one program."""

from bots.languages.c import C


class CPlusPlus(C):
    name, title = "c++", "C++"
    endings = (".cpp", ".cc", ".cxx")
    trial = b'#include <iostream>\nint main() { std::cout << "ready" << std::endl; }\n'
    remedy = "Install a C++ compiler and libraries to link statically. Debian: apt-get install g++"
    commands = ("g++", "clang++")
    standard = "gnu++20"

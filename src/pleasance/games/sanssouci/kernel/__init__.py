"""The rules kernel of Sanssouci: the rules repeated module by module, compiled for speed."""

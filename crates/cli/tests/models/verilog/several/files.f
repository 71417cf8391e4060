// Everything below the top module.
counter.sv
types.sv  # a package, which is read before all other files
+incdir+inc

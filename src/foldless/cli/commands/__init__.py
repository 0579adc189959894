"""The commands, one file each: options, one public call, what is printed."""

"""Where fits run: processes of this machine, or a cluster."""

"""The child process that runs what users write. runtime/programs starts and bounds it."""

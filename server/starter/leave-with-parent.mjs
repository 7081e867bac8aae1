// Preloaded by what `npm start` starts: when the starter is gone, however it went, the process stops as if asked to.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// Listening must not keep a process alive that has nothing else to do.
process.channel?.unref();

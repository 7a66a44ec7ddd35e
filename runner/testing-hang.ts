/** Stands where a job would, and blocks its thread for ever: no signal reaches it. For tests. */
process.once('message', () => {
  process.send!({ type: 'started' });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); // a loop would take a core
});
process.send!({ type: 'ready' });

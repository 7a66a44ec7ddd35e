/** Stands where a job would and never comes to an end. For tests. */
process.once('message', () => {
  process.send!({ type: 'started' });
  for (;;);
});
process.send!({ type: 'ready' });

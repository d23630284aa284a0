/**
 * Restores the terminal however the process ends or stops. A signal without another handler is handled here: restore, then die
 * from it. If there is one (a first Ctrl-C drains), that handler ends the process, and `exit` leads here.
 */
export function guardTerminal(restore: () => void): () => void {
  const dieOf = (signal: NodeJS.Signals): void => {
    if (process.listenerCount(signal) > 1) return;
    restore();
    process.off(signal, dieOf);
    process.kill(process.pid, signal);
  };
  const stop = (): void => {
    restore();
    process.kill(process.pid, 'SIGSTOP');
  };
  const deadly = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of deadly) process.on(signal, dieOf);
  process.on('exit', restore);
  // Ctrl-Z; after `fg` the next repaint opens a new window
  const canStop = process.platform !== 'win32';
  if (canStop) process.on('SIGTSTP', stop);
  return () => {
    for (const signal of deadly) process.off(signal, dieOf);
    process.off('exit', restore);
    if (canStop) process.off('SIGTSTP', stop);
  };
}

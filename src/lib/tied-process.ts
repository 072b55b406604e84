/**
 * The watcher reads from this process and is never sent anything: its input ends when this process
 * does, `kill -9` included, and with that the group ends. Any POSIX shell runs it; the parent-death
 * signal of Linux would reach the command alone and not what it has started.
 */
const script = `
exec 3<&0 </dev/null
{ read -r _ <&3; kill -KILL "-$$"; } >/dev/null 2>&1 &
watcher=$!
nice -n "$0" "$@" 3<&-
code=$?
kill -KILL "$watcher"
exit "$code"
`
const lowestPriority = 19

export interface TiedProcess extends Disposable {
  /** The exit code and what it said on standard error, once it and all that it started have ended. */
  readonly ended: Promise<{ readonly exitCode: number; readonly errors: string }>
}

/**
 * Starts work for which nobody waits, at the lowest priority, in a process group that ends with this
 * process in whatever way it ends. Disposing asks the group to end.
 */
export function startTied(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): TiedProcess {
  const child = Bun.spawn(['sh', '-c', script, String(lowestPriority), ...command], {
    env,
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'pipe',
    detached: true,
  })
  return {
    ended: endOf(child),
    [Symbol.dispose]() {
      // Once it has ended, the number may be somebody else's.
      if (child.exitCode !== null || child.signalCode !== null) return
      try {
        process.kill(-child.pid, 'SIGTERM')
      } catch {
        // It has ended already.
      }
    },
  }
}

/** What holds standard error open is still at work. */
async function endOf(child: Bun.Subprocess<'pipe', 'ignore', 'pipe'>) {
  const errors = await new Response(child.stderr).text()
  return { exitCode: await child.exited, errors }
}

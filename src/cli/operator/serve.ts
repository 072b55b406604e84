import type { Command } from '../support/command.ts'

export const serveCommand: Command = {
  name: 'serve',
  summary: 'run the service (what npm start does)',
  usage: `sedge serve

Runs the service until it is told to end (SIGTERM, Ctrl-C). Every setting is an
environment variable; see docs/configuration.md. Without any, it listens on
http://localhost:8788 and keeps everything in ./data, in the directory it is started in.
At a terminal it shows how to sign in, and a line for each request.

Exit codes: 0 ended as asked, 1 did not start or could not go on.`,
  async run(_args, { environment }) {
    // No other command waits until the whole service is loaded.
    const { serve } = await import('../../main.ts')
    return await serve(environment)
  },
}

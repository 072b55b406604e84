#!/usr/bin/env node
// Sedge runs on Bun, which is installed as one of its packages: a machine needs only Node to get here.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packageFile = createRequire(import.meta.url).resolve('bun/package.json')
const bun = join(dirname(packageFile), 'bin', 'bun.exe')
const cli = join(dirname(fileURLToPath(import.meta.url)), '..', 'src', 'cli', 'main.ts')
const child = spawn(bun, [cli, ...process.argv.slice(2)], { stdio: 'inherit' })
// It ends when the command has ended, never before: a terminal tells both of Ctrl-C, others tell only it.
process.on('SIGINT', () => {})
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (exitCode, signal) => {
  if (signal === null) process.exit(exitCode)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})

#!/usr/bin/env node
// Sedge runs on Bun, which is installed as one of its packages: a machine needs only Node to get here.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packageFile = createRequire(import.meta.url).resolve('bun/package.json')
const bun = join(dirname(packageFile), 'bin', 'bun.exe')
const cli = join(dirname(fileURLToPath(import.meta.url)), '..', 'src', 'cli', 'main.ts')
const { status, signal } = spawnSync(bun, [cli, ...process.argv.slice(2)], { stdio: 'inherit' })
if (signal) process.kill(process.pid, signal)
process.exitCode = status ?? 1

import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'

// Everything that has to be true of a commit. `npm run check`; with `--full`, what CI runs.

interface Step {
  readonly name: string
  readonly command: readonly string[]
}

/** What looks at the code alone; they do not wait for each other. */
const looks: readonly Step[] = [
  { name: 'format', command: ['bun', 'fmt', '--no-script', '--check'] },
  { name: 'types', command: ['bun', 'check', '--no-script'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'unused code', command: ['knip'] },
  { name: 'generated files', command: ['bun', 'scripts/generate.ts', '--check'] },
]

const tier = process.argv.includes('--full') ? [] : ['--fast']
const tests: Step = { name: 'tests', command: ['bun', 'scripts/test.ts', ...tier] }

const directory = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))
/** What only looks at the code has a lock of its own, so that `npm ci` stays small. */
const path = [
  directory('tools/node_modules/.bin'),
  directory('node_modules/.bin'),
  process.env['PATH'] ?? '',
].join(delimiter)
const env = { ...process.env, PATH: path }

const say = (name: string, exitCode: number | null, start: number): void =>
  console.log(
    `${exitCode === 0 ? '✓' : '✗'} ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`,
  )

/** Whether it went well. It says what it has to say at once. */
function run({ name, command }: Step): boolean {
  const start = performance.now()
  const { exitCode } = Bun.spawnSync([...command], { stdio: ['ignore', 'inherit', 'inherit'], env })
  say(name, exitCode, start)
  return exitCode === 0
}

/** Whether it went well. What it says is kept until its end, so that it stands together. */
async function runBeside({ name, command }: Step): Promise<boolean> {
  const start = performance.now()
  const child = Bun.spawn([...command], { stdio: ['ignore', 'pipe', 'pipe'], env })
  const said = [child.stdout, child.stderr].map((stream) => new Response(stream).text())
  const exitCode = await child.exited
  if (exitCode !== 0) console.log((await Promise.all(said)).join(''))
  say(name, exitCode, start)
  return exitCode === 0
}

async function check(): Promise<boolean> {
  const install = ['npm', 'ci', '--prefix', directory('tools')]
  const hasTools = Bun.which('oxlint', { PATH: path }) !== null
  if (!hasTools && !run({ name: 'tools', command: install })) return false
  const looked = await Promise.all(looks.map(runBeside))
  return looked.every(Boolean) && run(tests)
}

process.exitCode = (await check()) ? 0 : 1

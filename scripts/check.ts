import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Everything that has to be true of a commit, in the order of what fails fastest. `npm run check`. */
const steps: { readonly name: string; readonly command: readonly string[] }[] = [
  { name: 'format', command: ['bun', 'fmt', '--no-script', '--check'] },
  { name: 'types', command: ['bun', 'check', '--no-script'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'unused code', command: ['knip'] },
  { name: 'generated files', command: ['bun', 'scripts/generate.ts', '--check'] },
  // Real processes share two cores here; what needs a second try is named at the end of .ci/run.
  { name: 'tests', command: ['bun', 'test', '--timeout', '30000', '--retry', '1'] },
]

const directory = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))
/** What only looks at the code has a lock of its own, so that `npm ci` stays small. */
const path = [
  directory('tools/node_modules/.bin'),
  directory('node_modules/.bin'),
  process.env['PATH'] ?? '',
].join(delimiter)

if (Bun.which('oxlint', { PATH: path }) === null)
  steps.unshift({ name: 'tools', command: ['npm', 'ci', '--prefix', directory('tools')] })

for (const { name, command } of steps) {
  const start = performance.now()
  const child = Bun.spawnSync([...command], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PATH: path },
  })
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${child.exitCode === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
  if (child.exitCode !== 0) process.exit(1)
}

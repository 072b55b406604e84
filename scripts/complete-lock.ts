/**
 * Completes package-lock.json with the platform packages that a registry mirror did not have when the
 * lock was written. Without them `npm ci` refuses the lock; with them each platform fetches its own and
 * passes over the rest. Run it after every change of dependencies: `npx bun scripts/complete-lock.ts`,
 * and for those of `tools/` with `../tools/package-lock.json`; so for `tools/starters/`.
 *
 * It also takes out which version of Node each package wants: the service and its tests run in Bun and in
 * browsers, never in Node, and `npm ci` would warn of every one. What our own package wants stays, and so
 * does what the tools want, which do run in Node.
 */
interface LockedPackage {
  version?: string
  dev?: boolean
  engines?: unknown
  optional?: boolean
  os?: readonly string[]
  cpu?: readonly string[]
  optionalDependencies?: Readonly<Record<string, string>>
}

interface Lock {
  packages: Record<string, LockedPackage>
}

const systems =
  'aix android darwin freebsd linux netbsd openbsd openharmony sunos wasi win32'.split(' ')
const processors = 'x64 arm64 ia32 arm loong64 mips64el ppc64 riscv64 s390x wasm32'.split(' ')

/** The system and processor that a platform package names, e.g. `binding-linux-arm-musleabihf`. */
function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu'> {
  const words = new Set(name.split(/[/-]/u))
  const system = systems.find((each) => words.has(each))
  const processor = processors.find((each) => words.has(each))
  if (system === undefined || processor === undefined)
    throw new Error(`${name} does not say what platform it is for`)
  return { os: [system], cpu: [processor] }
}

const file = new URL(process.argv[2] ?? '../package-lock.json', import.meta.url)
const lock = (await Bun.file(file).json()) as Lock
const isOfTools = file.pathname.endsWith('/tools/package-lock.json')
for (const [path, each] of Object.entries(lock.packages))
  if (path !== '' && !isOfTools) delete each.engines
let added = 0
for (const { dev, optionalDependencies = {} } of Object.values(lock.packages))
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const key = `node_modules/${name}`
    if (key in lock.packages) continue
    const flags = dev === true ? { dev, optional: true } : { optional: true }
    lock.packages[key] = { version, ...flags, ...platformOf(name) }
    added += 1
  }
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)),
)
await Bun.write(file, `${JSON.stringify(lock, undefined, 2)}\n`)
console.log(`${added} platform packages added`)

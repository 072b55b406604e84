// `npm run executable`: the service, what it runs in children and all files that they read, as one file for
// this system (decisions/055). Needs what `npm ci` installs, and no network.
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { gatherFiles } from './executable/gather-files.ts'
import { loosePackages } from './executable/loose-packages.ts'
import { placelessPackages } from './executable/placeless-packages.ts'

const root = join(import.meta.dir, '..')
const [outfile = join(root, 'dist', 'sedge')] = process.argv.slice(2)
const gathered = `${outfile}.files`

/** Each is started by its name, in a process or a thread of its own. */
const programs = [
  'src/lib/box/box-launcher.ts',
  'src/adapters/sharp/child/child.ts',
  'src/adapters/stills/still-child.ts',
  'src/adapters/tesseract/tesseract-child.ts',
  'src/adapters/models/minilm-child.ts',
  'src/adapters/sql/sqlite/checkpoint-thread.ts',
  'src/adapters/disk/blob-files/blob-file-thread.ts',
]

await rm(gathered, { recursive: true, force: true })
const assets = await gatherFiles(root, gathered)
const { outputs } = await Bun.build({
  entrypoints: ['src/executable.ts', ...programs].map((path) => join(root, path)),
  root,
  target: 'bun',
  splitting: true,
  // What is loaded need not be parsed: half of a start was that.
  bytecode: true,
  format: 'esm',
  plugins: [loosePackages, placelessPackages],
  compile: {
    outfile,
    assets: [...assets],
    // What is not in it is missing, and not to be fetched; only what is in it is run.
    execArgv: ['--no-install'],
    autoloadBunfig: false,
  },
})
await rm(gathered, { recursive: true, force: true })
for (const { path } of outputs)
  process.stdout.write(
    `${basename(path)}: ${Math.round(Bun.file(path).size / 1e6)} MB at ${path}\n`,
  )

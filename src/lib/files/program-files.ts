import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Where the program has its files: its checkout; or, where all of it is one executable
 * (decisions/055), a file system inside of that, which has the same paths and which only the runtime can
 * read.
 */
const root = Bun.isStandaloneExecutable
  ? dirname(Bun.main)
  : join(import.meta.dir, '..', '..', '..')

/** A file of the program by its path from the root of the repository, `docs/concepts.md`. */
export const programFile = (path: string): string => join(root, path)

/** A file of a package, by what one would import. Throws where it is not installed. */
export function packageFile(specifier: string): string {
  if (!Bun.isStandaloneExecutable) return Bun.resolveSync(specifier, import.meta.dir)
  return thatExists(programFile(join('node_modules', specifier)))
}

/** Names the directory of {@link looseFile} to processes of ours, whatever else they may know. */
export const looseFilesName = 'SEDGE_LOOSE_FILES'

/** A file of a package that has to lie on a disk, for the linker or fontconfig, or to be required. Throws as `packageFile` does. */
export function looseFile(specifier: string): string {
  if (!Bun.isStandaloneExecutable) return packageFile(specifier)
  return thatExists(join(looseDirectory() ?? '', 'node_modules', specifier))
}

/** Where `unpackLooseFiles` has put them; `undefined` where none had to be unpacked. */
export const looseDirectory = (): string | undefined => process.env[looseFilesName]

function thatExists(path: string): string {
  if (existsSync(path)) return path
  throw new Error(`this executable was built without ${path}`)
}

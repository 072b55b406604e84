import { programFile } from '../../lib/files/program-files.ts'

/** The version of the package that this is. */
export async function programVersion(): Promise<string> {
  const file = Bun.file(programFile('package.json'))
  return ((await file.json()) as { version: string }).version
}

import { programFile } from '../../lib/files/program-files.ts'

/** What icons are also called, by the icon's name: `cog` → `settings, gear`. */
export async function readIconSynonyms(): Promise<ReadonlyMap<string, string>> {
  const text = await Bun.file(programFile('src/adapters/models/icon-synonyms.txt')).text()
  const entries = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line): [string, string] => {
      const end = line.indexOf(': ')
      return [line.slice(0, end), line.slice(end + 2)]
    })
  return new Map(entries)
}

import type { ImportedFile } from '../support/import-commit.ts'

export const svgOf = (name: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><title>${name}</title><path d="M${name.length} 4h1v9z"/></svg>`

/** So many files of the zone `acme`, a hundred directories below the one that is named. */
export function* iconsIn(directory: string, count: number): Generator<ImportedFile> {
  for (let index = 0; index < count; index += 1) {
    const path = `clients/acme/v1/${directory}/${index % 100}/icon-${index}.svg`
    yield { path, content: svgOf(`${directory} ${index}`) }
  }
}

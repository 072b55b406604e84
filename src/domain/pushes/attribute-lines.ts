const fileName = '.gitattributes'
const maxBytes = 2 ** 16

export const isAttributes = (path: string): boolean =>
  path === fileName || path.endsWith(`/${fileName}`)

/** A pattern, in quotes where it has blanks, and what is said of it (gitattributes(5)). */
const linePattern = /^(?:"[^"]*"|[^\s"]\S*)[ \t]+(\S.*)$/u
const ofLargeFiles =
  /^(?:(?:filter|diff|merge)=lfs|[-!]?(?:text|lockable)|[-!](?:filter|diff|merge))$/u

/**
 * Why a file of attributes cannot be taken: others than those of Git LFS change what every clone has in its
 * files.
 */
export function faultOfAttributes(bytes: Uint8Array): string | undefined {
  if (bytes.length > maxBytes) return `it has over ${maxBytes} bytes`
  for (const [index, line] of new TextDecoder().decode(bytes).split('\n').entries()) {
    const text = line.trim()
    if (text === '' || text.startsWith('#')) continue
    const said = linePattern.exec(text)?.[1]
    if (said === undefined || !said.split(/[ \t]+/u).every((word) => ofLargeFiles.test(word)))
      return `its line ${index + 1} sets other attributes than those of Git LFS`
  }
  return undefined
}

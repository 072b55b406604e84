/**
 * Other ways to write the URL of an asset: without a commit, with or without the zone's name. `zone`
 * is that of the host name, where it is a zone's own.
 */
export function otherSpellings(path: string, zone: string | undefined): readonly string[] {
  const end = path.startsWith('/@') ? path.indexOf('/', 2) : -1
  const plain = end < 0 ? path : path.slice(end)
  const zoned = zone === undefined ? undefined : otherZoneSpelling(plain, `/${zone}/v1/`)
  return [...(plain === path ? [] : [plain]), ...(zoned === undefined ? [] : [zoned])]
}

/** On a zone's own host name `/v1/…` and `/<zone>/v1/…` are the same. */
function otherZoneSpelling(path: string, ownDirectory: string): string | undefined {
  if (path.startsWith('/v1/')) return ownDirectory + path.slice('/v1/'.length)
  return path.startsWith(ownDirectory) ? `/v1/${path.slice(ownDirectory.length)}` : undefined
}

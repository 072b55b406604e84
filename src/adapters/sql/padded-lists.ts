const lengths = [1, 8, 64, 512] as const
const longest = 512

/** Keys for `in (…)`. Padded with repetitions to few lengths, so that statements are soon prepared. */
export function paddedLists<Key>(keys: readonly Key[]): readonly (readonly Key[])[] {
  const lists: (readonly Key[])[] = []
  for (let start = 0; start < keys.length; start += longest) {
    const list = keys.slice(start, start + longest)
    const length = lengths.find((each) => each >= list.length) ?? list.length
    const padding = list.slice(-1)
    lists.push([...list, ...Array.from({ length: length - list.length }, () => padding).flat()])
  }
  return lists
}

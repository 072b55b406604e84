/** The language tags of an Accept-Language field, lower case, most wanted first. */
export const negotiableLanguages = (field: string | null): readonly string[] =>
  (field ?? '')
    .split(',')
    .map(readMember)
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)

function readMember(member: string): { readonly tag: string; readonly quality: number } {
  const [tag = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = weight === undefined ? 1 : Number(weight.slice(2))
  return { tag, quality: quality >= 0 && quality <= 1 ? quality : 0 }
}

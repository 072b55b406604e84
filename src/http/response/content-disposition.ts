/** Has browsers save a response under a name (RFC 6266 §4.3), in ASCII for those that know no other. */
export const attachmentNamed = (name: string): string => dispositionOf('attachment', name)

/** Has browsers show it, and offer that name where somebody saves it. */
export const inlineNamed = (name: string): string => dispositionOf('inline', name)

function dispositionOf(type: 'attachment' | 'inline', name: string): string {
  const plain = name.replaceAll(/[^\u0020-\u007e]|["\\%]/gu, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${type}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** The Markdown of one line without its marks; names that begin with `_` keep it. */
export const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/[`*]+/gu, '')
    .replaceAll(/(?<![\p{L}\p{N}/."'])_([^_]{1,80})_(?![\p{L}\p{N}])/gu, '$1')
    .replaceAll(/\s+/gu, ' ')
    .trim()

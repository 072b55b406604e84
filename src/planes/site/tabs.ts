/** What a tab may be called: bold words alone in a paragraph, right before a block of code. */
const names = ['curl', 'CLI', 'JS', 'Python', 'Go', 'Docker', 'AWS CLI', 'rclone']

const label = `<p><strong>(${names.join('|')})</strong></p>\n`
const block = String.raw`<pre>(?:(?!</pre>)[\s\S])*</pre>\n?`
const group = new RegExp(`(?:${label.replace('(', '(?:')}${block}){2,}`, 'gu')
const one = new RegExp(`${label}(${block})`, 'gu')

/**
 * Blocks of code that follow each other, each below its bold name, as one group: a script shows them as
 * tabs, and without one they stand below each other as they do in the Markdown.
 */
export const grouped = (html: string): string =>
  html.replaceAll(
    group,
    (found) =>
      `<div class="tabs">${found.replaceAll(
        one,
        (_, name: string, code: string) =>
          `<section class="tab" data-name="${name}"><p class="tab-name">${name}</p>${code}</section>`,
      )}</div>`,
  )

/** Puts `values` in place of `{{name}}`. They are HTML: whoever calls has escaped what is text. */
export const fillTemplate = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{\{(\w+)\}\}/gu, (_, name: string) => values[name] ?? '')

import type { Page } from 'playwright-core'

const axeSource = await Bun.file(new URL(import.meta.resolve('axe-core/axe.min.js'))).text()

interface AxeFinding {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** The rules that colours alone decide: all there is to ask of a page in its other theme. */
const rulesOfColours = ['color-contrast', 'link-in-text-block']

const optionsOf = {
  all: {},
  colours: { runOnly: { type: 'rule', values: rulesOfColours } },
  structure: { rules: Object.fromEntries(rulesOfColours.map((id) => [id, { enabled: false }])) },
} as const

/**
 * What axe finds on the page as it is, a line each: every rule that is on by default, best practice too, of any
 * impact. It runs outside of the page's policy.
 */
export async function accessibilityFindings(
  page: Page,
  { rules = 'all' }: { readonly rules?: 'all' | 'colours' | 'structure' } = {},
): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axeSource)
  const options = { resultTypes: ['violations'], preload: false, ...optionsOf[rules] }
  const { violations } = await page.evaluate<{ readonly violations: readonly AxeFinding[] }>(
    `axe.run(document, ${JSON.stringify(options)})`,
  )
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) =>
        `${id} (${impact ?? 'unknown'}): ${html.slice(0, 200)} ${failureSummary}`,
    ),
  )
}

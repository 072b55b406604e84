import type { Page } from 'playwright-core'

import { type PageName, pageNames } from '../../web/dashboard/page-names.ts'
import { drop } from './dropped-files.ts'
import { type FurnishedService, note, photo, video } from './furnished-service.ts'

/** One way in which something that people see can look. */
export interface FurnishedLook {
  readonly name: string
  /** Below the service's URL. */
  readonly path: string
  /** What is done there until it looks so. */
  readonly open?: (page: Page) => Promise<unknown>
  /** The file below `web/dashboard` whose dialog is shown. */
  readonly dialog?: string
}

/** What a page of the dashboard is asked, so that it has most to show; nothing where it is not named. */
const queries = ({ formerCommit }: FurnishedService): Partial<Record<PageName, string>> => ({
  transform: `asset=${photo}&w=320&h=200&fit=cover`,
  history: 'zone=acme',
  compare: `zone=acme&from=${formerCommit}`,
  previews: 'zone=acme',
  zone: 'zone=acme',
  rules: 'zone=acme',
  purge: 'tag=zone-acme',
  insights: 'period=7d',
})

/** Every page, named or not, and the other states of some. */
export const pageLooks = (furnished: FurnishedService): readonly FurnishedLook[] => [
  ...pageNames.map((name) => {
    const query = queries(furnished)[name]
    const path = `/dashboard/${name === 'overview' ? '' : name}`
    return { name, path: query === undefined ? path : `${path}?${query}` }
  }),
  ...Object.entries(otherStates(furnished)).map(([name, address]) => ({
    name,
    path: `/dashboard/${address}`,
  })),
  ...selections,
  ...outsideTheDashboard(furnished),
]

const otherStates = ({ formerCommit }: FurnishedService): Readonly<Record<string, string>> => ({
  'assets-list': 'assets?view=list',
  'assets-folder': 'assets?folder=acme/v1/campaigns&view=list',
  'assets-nothing': 'assets?q=nothing+like+this',
  'compare-nothing': `compare?zone=harbour&from=${formerCommit}`,
  'preview-one': 'previews?zone=acme&preview=winter',
  'preview-unchanged': 'previews?zone=acme&preview=members-only',
  'preview-none': 'previews?zone=harbour',
  'zone-domains': 'zone?zone=acme&tab=domains',
  'zone-rules': 'zone?zone=acme&tab=rules',
  'zone-transforms': 'zone?zone=acme&tab=transforms',
  'zone-tokens': 'zone?zone=acme&tab=tokens',
  'zone-settings': 'zone?zone=acme&tab=settings',
  'rules-redirects': 'rules?file=_redirects',
  'insights-latency': 'insights?period=7d&metric=latency&zone=acme',
  'insights-nothing': 'insights?period=1h&zone=a-zone-with-a-rather-long-name',
  'logs-service': 'logs?log=service',
  'logs-errors': 'logs?q=status:404',
  'no-such-page': 'nothing-here',
})

const outsideTheDashboard = ({ invitationUrl }: FurnishedService): readonly FurnishedLook[] => [
  { name: 'sign-in', path: '/dashboard/login' },
  { name: 'sign-in-passkeys', path: '/dashboard/passkeys' },
  { name: 'invitation', path: new URL(invitationUrl).pathname + new URL(invitationUrl).hash },
  { name: 'home', path: '/' },
  { name: 'not-found', path: '/nothing-here' },
  { name: 'watch', path: `/watch?path=${video}` },
  { name: 'watch-nothing', path: '/watch?path=acme/v1/videos/never.mp4' },
]

const click = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).first().click()

const clickIn = (first: string | RegExp, second: string | RegExp) => async (page: Page) => {
  await click(first)(page)
  await page.getByRole('dialog').getByRole('button', { name: second, exact: true }).first().click()
}

/** Of the first card there is. */
const clickMore = (name: string) => async (page: Page) => {
  await click('More')(page)
  await page.getByRole('group', { name: 'More' }).getByRole('button', { name }).first().click()
}

const purgeEverything = async (page: Page) => {
  await page.getByText('Everything', { exact: true }).first().click()
  await click(/^Purge/u)(page)
}

/** Only where there is no room for it beside the page. */
const openNavigation = async (page: Page) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await click('Open the navigation')(page)
}

/** Over the page where there is no room beside it. */
const openAssistant = async (page: Page) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await click('Ask')(page)
}

const searchInPalette = async (page: Page) => {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('lake')
  await page.getByRole('dialog').getByText('lake').first().waitFor()
}

/** As when the connection is lost before the palette was ever opened. */
const missPalette = async (page: Page) => {
  await page.route('**/*.js', (route) => route.abort())
  await page.keyboard.press('Control+k')
}

/** As when the session has ended while somebody looks at the page. */
const endSession = async (page: Page) => {
  await page.route('**/api/core/zones', (route) => route.fulfill({ status: 401, json: {} }))
  await click('Create a zone')(page)
  await page.getByRole('dialog').getByLabel('Name').fill('fresh')
  await page.getByRole('dialog').getByRole('button', { name: 'Create the zone' }).click()
  await page.getByRole('dialog', { name: 'Sign in to go on' }).waitFor()
}

/** All that the page of assets shows are selected, by keyboard. */
const selectAll = async (page: Page) => {
  await page.getByRole('listitem').or(page.getByRole('row')).first().waitFor()
  await page.keyboard.press('ControlOrMeta+a')
  await page.getByText('selected').first().waitFor()
}

const selections: readonly FurnishedLook[] = ['grid', 'list'].map((view) => ({
  name: `assets-selected-${view}`,
  path: `/dashboard/assets?folder=acme/v1/campaigns/autumn&view=${view}`,
  open: selectAll,
}))

const press = (key: string) => (page: Page) => page.keyboard.press(key)

const clickInDialog = (name: string) => (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).first().click()

const selectAllAnd = (name: string) => async (page: Page) => {
  await page.getByRole('list', { name: 'Assets' }).getByRole('button').first().waitFor()
  await page.keyboard.press('ControlOrMeta+a')
  await click(name)(page)
}

/** Everything that opens on top of a page. */
export const dialogLooks = ({ formerCommit }: FurnishedService): readonly FurnishedLook[] =>
  (
    [
      ['asset', 'assets/details/asset-details.tsx', `assets?asset=${photo}`],
      [
        'asset-sign',
        'assets/details/sign-asset.tsx',
        `assets?asset=${photo}`,
        async (page) => {
          await click('Actions')(page)
          await page.getByText('Signed URL').first().click()
        },
      ],
      [
        'asset-describe',
        'assets/details/describe-asset.tsx',
        `assets?asset=${photo}`,
        clickInDialog('Describe'),
      ],
      [
        'asset-versions',
        'assets/details/version-comparison.tsx',
        `assets?asset=${photo}`,
        clickInDialog('Compare'),
      ],
      ['asset-hostile', 'assets/details/asset-details.tsx', `assets?asset=${hostile}`],
      ['asset-video', 'assets/details/asset-details.tsx', `assets?asset=${video}`],
      ['asset-text', 'assets/details/asset-details.tsx', `assets?asset=${note}`],
      ['asset-gone', 'assets/details/asset-details.tsx', 'assets?asset=acme/v1/icons/never.svg'],
      [
        'asset-focal-point',
        'assets/details/asset-details.tsx',
        `assets?asset=${photo}`,
        click('Move the focal point'),
      ],
      ['move', 'assets/selection/bulk-dialog.tsx', folder, selectAllAnd('Move')],
      ['tag', 'assets/selection/bulk-dialog.tsx', folder, selectAllAnd('Tag')],
      ['describe', 'assets/selection/bulk-dialog.tsx', folder, selectAllAnd('Describe')],
      [
        'compare-file',
        'history/file-comparison.tsx',
        `compare?zone=acme&from=${formerCommit}&file=${photo}`,
      ],
      [
        'compare-text',
        'history/file-comparison.tsx',
        `compare?zone=acme&from=${formerCommit}&file=${note}`,
      ],
      [
        'restore-zone',
        'history/restore-zone.tsx',
        'history?zone=acme',
        (page) => page.getByRole('button', { name: 'Go back to here' }).nth(3).click(),
      ],
      [
        'choose-moment',
        'history/choose-moment.tsx',
        `compare?zone=acme&from=${formerCommit}`,
        click('Choose another'),
      ],
      ['preview-create', 'previews/create-preview.tsx', 'previews?zone=acme&from=now'],
      ['preview-promote', 'previews/promote-preview.tsx', winter, click('Promote…')],
      ['preview-update', 'previews/update-preview.tsx', winter, click('Update…')],
      ['preview-settings', 'previews/preview-actions.tsx', winter, click('Settings')],
      ['preview-delete', 'previews/preview-actions.tsx', winter, click('Delete')],
      ['audit-entry', 'audit/audit-details.tsx', 'audit', click(/stored acme/u)],
      ['domain', 'domains/domain-details.tsx', 'domains', click(/^What to set for/u)],
      [
        'domain-remove',
        'domains/domain-details.tsx',
        'domains',
        clickIn(/^What to set for/u, /^Remove/u),
      ],
      ['erasure', 'erasures/erase-for-good.tsx', `erasures?erase=${photo}`],
      ['erasure-unnamed', 'erasures/erase-for-good.tsx', 'erasures?erase=?'],
      ['request', 'logs/request-details.tsx', 'logs?q=status:404', click(/never\.svg/u)],
      [
        'rule-version',
        'rules/rule-version.tsx',
        'rules?file=_redirects',
        click(/^(?:Compare|Show)/u),
      ],
      [
        'transform-save',
        'transform/save-named.tsx',
        `transform?asset=${photo}&w=320`,
        click('Save as a named transform'),
      ],
      ['zone-create', 'zones/create-zone.tsx', 'zones', click('Create a zone')],
      ['zone-suspend', 'zones/suspend-zone.tsx', 'zones', click('Suspend acme')],
      ['zone-delete', 'zones/delete-zone.tsx', 'zones', click('Delete acme')],
      ['purge-everything', 'pages/purge.tsx', 'purge', purgeEverything],
      ['webhook-create', 'webhooks/create-webhook.tsx', 'webhooks', click('Add a webhook')],
      ['webhook-edit', 'webhooks/edit-webhook.tsx', 'webhooks', clickMore('Edit')],
      ['webhook-test', 'webhooks/send-test.tsx', 'webhooks', click('Send a test')],
      [
        'webhook-delivery',
        'webhooks/delivery-details.tsx',
        'webhooks',
        async (page) => {
          await click('Deliveries')(page)
          await click(/^Show/u)(page)
        },
      ],
      ['webhook-secret', 'pages/webhooks.tsx', 'webhooks', clickMore('New secret')],
      ['webhook-remove', 'webhooks/webhook-card.tsx', 'webhooks', clickMore('Remove')],
      ['token-create', 'tokens/create-token.tsx', 'tokens', click('Create a token')],
      ['token-rotate', 'tokens/rotate-token.tsx', 'tokens', click(/^Rotate/u)],
      ['token-revoke', 'tokens/token-table.tsx', 'tokens', click(/^Revoke/u)],
      ['token-made', 'tokens/new-token.tsx', 'tokens', clickIn(/^Rotate/u, 'Make another secret')],
      ['person-invite', 'people/invite-person.tsx', 'people', click('Invite somebody')],
      ['person-roles', 'people/change-person.tsx', 'people', click('Roles of Ines')],
      ['person-remove', 'people/change-person.tsx', 'people', click('Remove Ines')],
      ['person-link', 'pages/access/people.tsx', 'people', click(/^New link/u)],
      ['navigation', 'shell/shell.tsx', '', openNavigation],
      ['backup-delete', 'backups/backup-card.tsx', 'backups', click('Delete…')],
      ['palette', 'shell/palette/palette.tsx', '', press('Control+k')],
      ['palette-found', 'shell/palette/palette.tsx', '', searchInPalette],
      ['ask', 'assistant/panel.tsx', 'assets', openAssistant],
      ['overlay-missing', 'shell/overlay.tsx', '', missPalette],
      ['shortcuts', 'shell/shortcuts/shortcut-sheet.tsx', '', press('?')],
      [
        'drop-target',
        'upload/drop/choose-target.tsx',
        '',
        (page) => drop(page, { 'early.txt': 'early' }),
      ],
      ['sign-in-again', 'session/sign-in-dialog.tsx', 'zones', endSession],
    ] satisfies readonly DialogRow[]
  ).map(([name, dialog, address, open]: DialogRow) => ({
    name,
    dialog,
    path: `/dashboard/${address}`,
    ...(open && { open }),
  }))

type DialogRow = readonly [
  name: string,
  dialog: string,
  address: string,
  open?: (page: Page) => Promise<unknown>,
]

const hostile = encodeURIComponent('acme/v1/texts/<b>notes & more.txt')
const folder = 'assets?folder=acme/v1/campaigns/autumn'
const winter = 'previews?zone=acme&preview=winter'

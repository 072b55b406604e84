import { expect, test } from 'bun:test'

import type { DomainNotice } from './domain-store.ts'
import type { DomainRecord } from '../records/domain.ts'
import {
  at,
  auditOf,
  domainAt,
  entry,
  type MetadataStores,
  zoneOf,
} from '../content/publication-store.contract.ts'

/** What every DomainStore must do. The test of each adapter calls this once. */
export function domainStoreContract(name: string, open: () => Promise<MetadataStores>): void {
  test(`${name}: an added domain is found and listed as it was given`, async () => {
    await using stores = await open()
    const domain = domainAt('cdn.acme.example', {
      sslStatus: 'failed',
      sslError: 'no CNAME',
      isProven: false,
    })
    await stores.domains.add(domain, notice('add'))

    expect(await stores.domains.find('cdn.acme.example')).toEqual(domain)
    expect(await stores.domains.find('other.example')).toBeUndefined()
    expect(await stores.domains.list()).toEqual([domain])
  })

  test(`${name}: a host name belongs to the first zone that asks, also of many at once`, async () => {
    await using stores = await open()
    const answers = await Promise.all(
      ['a', 'b', 'c', 'a'].map((zone) =>
        stores.domains.add(domainAt('x.example', { zone }), notice(zone)),
      ),
    )

    expect(answers.map((answer) => answer?.path)).toEqual(['a', undefined, undefined, undefined])
    expect((await stores.domains.find('x.example'))?.zone).toBe('a')
    expect(await actions(stores)).toEqual(['a'])
  })

  test(`${name}: each change is answered with its feed entry and leaves its audit record`, async () => {
    await using stores = await open()
    const domain = domainAt('x.example')
    const entries = [
      await stores.domains.add(domain, notice('add')),
      await stores.domains.update({ ...domain, sslStatus: 'active' }, notice('update')),
      await stores.domains.remove('acme', 'x.example', notice('remove')),
    ]

    expect(entries.map((each) => each?.seq)).toEqual([1, 2, 3])
    expect(await stores.publications.feedAfter(0, 10)).toEqual(entries.filter((each) => !!each))
    expect(await actions(stores)).toEqual(['add', 'update', 'remove'])
  })

  test(`${name}: an update replaces everything but the time of its making`, async () => {
    await using stores = await open()
    const domain = domainAt('x.example', { sslStatus: 'failed', sslError: 'no CNAME' })
    await stores.domains.add(domain, notice('add'))
    const given: DomainRecord = {
      ...domain,
      sslStatus: 'active',
      sslError: undefined,
      redirectsToHttps: true,
      certificateExpiresAt: at(90),
      nextCheckAt: at(60),
      failures: 0,
      history: [{ at: at(1), sslStatus: 'failed', sslError: 'no CNAME' }],
      updatedAt: at(9),
    }
    await stores.domains.update({ ...given, createdAt: at(9) }, notice('update'))

    expect(await stores.domains.find('x.example')).toEqual(given)
  })

  test(`${name}: rescheduling changes when it is looked at and tells nobody`, async () => {
    await using stores = await open()
    const domain = domainAt('x.example')
    await stores.domains.add(domain, notice('add'))
    const later = { ...domain, nextCheckAt: at(7), failures: 3 }
    await stores.domains.reschedule({ ...later, sslStatus: 'failed', updatedAt: at(9) })
    await stores.domains.reschedule(domainAt('y.example'))

    expect(await stores.domains.list()).toEqual([later])
    expect((await stores.publications.position()).seq).toBe(1)
    expect(await actions(stores)).toEqual(['add'])
  })

  test(`${name}: what another zone owns, or nobody, is neither updated nor removed nor announced`, async () => {
    await using stores = await open()
    const domain = domainAt('x.example')
    await stores.domains.add(domain, notice('add'))

    const foreign = domainAt('x.example', { zone: 'b' })
    expect(await stores.domains.update(foreign, notice('update'))).toBeUndefined()
    expect(await stores.domains.remove('b', 'x.example', notice('remove'))).toBeUndefined()
    expect(await stores.domains.update(domainAt('y.example'), notice('update'))).toBeUndefined()
    expect(await stores.domains.remove('acme', 'y.example', notice('remove'))).toBeUndefined()
    expect(await stores.domains.list()).toEqual([domain])
    expect((await stores.publications.position()).seq).toBe(1)
    expect(await actions(stores)).toEqual(['add'])
  })

  test(`${name}: domains are listed by host name, and a removed one can be added again`, async () => {
    await using stores = await open()
    for (const hostname of ['b.example', 'a.example', 'xn--4ca.example', 'a-b.example'])
      await stores.domains.add(domainAt(hostname), notice('add'))
    await stores.domains.remove('acme', 'a.example', notice('remove'))
    await stores.domains.add(domainAt('a.example', { zone: 'b' }), notice('add'))

    const all = await stores.domains.list()
    expect(all.map(({ hostname, zone }) => [hostname, zone])).toEqual([
      ['a-b.example', 'acme'],
      ['a.example', 'b'],
      ['b.example', 'acme'],
      ['xn--4ca.example', 'acme'],
    ])
  })

  test(`${name}: publications and changes of domains share one line of numbers`, async () => {
    await using stores = await open()
    await stores.publications.publish([{ zones: [zoneOf('acme')], feed: [entry('a')] }])
    const added = await stores.domains.add(domainAt('x.example'), notice('add'))
    const [published] = await stores.publications.publish([{ feed: [entry('b')] }])

    expect([added?.seq, published?.seq]).toEqual([2, 3])
  })
}

const notice = (action: string): DomainNotice => ({
  audit: auditOf({ action }),
  feed: { ...entry(action), event: 'domain.updated', commitId: undefined },
})

const actions = async (stores: MetadataStores) =>
  (await stores.audit.query({ since: at(0), limit: 100 })).map(({ action }) => action).toReversed()

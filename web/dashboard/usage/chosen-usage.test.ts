import { expect, test } from 'bun:test'

import { formerInput, monthsUntil } from './chosen-usage.ts'

const now = new Date('2028-03-30T23:59:59Z')

test('there are this month and the twelve before it', () => {
  const months = monthsUntil(now)
  expect(months).toHaveLength(13)
  expect([months[0], months[1], months.at(-1)]).toEqual(['2028-03', '2028-02', '2027-03'])
  expect(monthsUntil(new Date('2028-01-01T00:00:00Z')).slice(0, 2)).toEqual(['2028-01', '2027-12'])
})

test('a month that has begun is compared with as many days of the one before, which may have fewer', () => {
  const formerOf = (From: string, Days: number) => {
    const { from, to } = formerInput({ From, Days }, { zone: '', now }) ?? {}
    return [from, to]
  }
  expect(formerOf('2028-03-01', 9)).toEqual(['2028-02-01', '2028-02-09'])
  expect(formerOf('2028-03-01', 30)).toEqual(['2028-02-01', '2028-02-29'])
  expect(formerOf('2028-02-01', 29)).toEqual(['2028-01-01', '2028-01-31'])
  expect(formerOf('2028-01-01', 31)).toEqual(['2027-12-01', '2027-12-31'])
})

test('the oldest month that is kept is compared with nothing', () => {
  expect(formerInput({ From: '2027-03-01', Days: 31 }, { zone: '', now })).toBeUndefined()
  expect(formerInput({ From: '2027-04-01', Days: 30 }, { zone: 'acme', now })).toMatchObject({
    from: '2027-03-01',
    zone: 'acme',
  })
})

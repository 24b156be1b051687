// Two processes of Thunder on one database, with the sandbox, and what they sell.
import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { users } from '../../src/domains/accounts/tables.ts'
import { planGrants } from '../../src/domains/billing/tables.ts'
import { courses } from '../../src/domains/courses/tables.ts'
import { coupons } from '../../src/domains/purchases/tables.ts'
import type { Services } from '../../src/server/services.ts'
import { makeCourse, sessionCookieOf } from '../factories.ts'
import type { CouponKind } from './history.ts'
import { onSale } from './history.ts'

export interface Process {
  url: string
  services: Services
}

export interface Buyer {
  id: string
  cookie: string
}

export interface Shop {
  creator: Buyer
  /** As `onSale`. */
  courses: { id: string; slug: string }[]
  feePercent: number
}

export const couponCodes: Record<CouponKind, string> = {
  'a fifth off': 'FIFTH-OFF',
  '3 dollars off': '3-DOLLARS-OFF',
  'everything off': 'ALL-OF-IT',
}

/** Students that one creator gets: a course of a free one has 25 at most. */
export const buyersOfShop = 20

export async function makeBuyer(services: Services, name: string): Promise<Buyer> {
  const unique = randomUUID()
  const [made] = await services.db
    .insert(users)
    .values({
      name,
      email: `${unique}@example.com`,
      username: unique,
      emailVerified: true,
      welcomedAt: sql`now()`,
    })
    .returning({ id: users.id })
  const { id } = made!
  return { id, cookie: await sessionCookieOf(services, id) }
}

export async function openShop(services: Services, isPro: boolean): Promise<Shop> {
  const { db } = services
  const creator = await makeBuyer(services, 'Creator')
  if (isPro) await db.insert(planGrants).values({ userId: creator.id })
  const made: Shop['courses'] = []
  for (const { pricingType, price } of onSale) {
    const { id, slug } = await makeCourse(services, creator)
    await db.update(courses).set({ pricingType, priceAmount: price }).where(eq(courses.id, id))
    await db.insert(coupons).values([
      { courseId: id, code: couponCodes['a fifth off'], percentOff: 20 },
      { courseId: id, code: couponCodes['3 dollars off'], amountOff: 300 },
      { courseId: id, code: couponCodes['everything off'], percentOff: 100 },
    ])
    made.push({ id, slug })
  }
  return { creator, courses: made, feePercent: isPro ? 0 : 5 }
}

import { readFile } from 'node:fs/promises'
import type { ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { webhookPayloads } from '../../webhooks/events.ts'
import About from './about.tsx'
import Privacy from './privacy.tsx'

const words = (Component: ComponentType = Privacy) => {
  const Stub = createRoutesStub([{ path: '/', Component }])
  return renderToStaticMarkup(<Stub initialEntries={['/']} />).replaceAll(/\s+/g, ' ')
}

test('the list of what browsers keep has what the router and the offline worker keep', async () => {
  const policy = words()
  for (const kept of ['react-router-scroll-positions', 'react-router-manifest-version']) {
    expect(policy).toContain(`<code>${kept}</code>`)
  }
  const worker = await readFile('src/domains/offline/worker.ts', 'utf8')
  const [, names] = /const names = \{([^}]*)\}/.exec(worker)!
  const caches = [...names!.matchAll(/'([^']+)'/g)].map(([, name]) => name)
  expect(caches.length).toBeGreaterThan(2)
  for (const name of caches) expect(policy).toContain(`<code>${name}</code>`)
})

test('About says of cookies what the policy says', () => {
  const purpose = 'cookies are for signing in, and for keeping your account safe.'
  for (const page of [words(), words(About)]) expect(page.toLowerCase()).toContain(purpose)
})

test('the policy says of the log what stands in it', () => {
  const [, logs] = /Technical logs\.<\/strong>(.*?)<\/p>/.exec(words())!
  expect(logs).toContain('no network (IP) address')
})

const section = (title: string) => new RegExp(`${title}</h2>(.*?)<h2`).exec(words())![1]!

test('who else receives data: programs of instructors, and what these are told', () => {
  const told = JSON.stringify(z.toJSONSchema(z.object(webhookPayloads)))
  for (const name of ['email', 'content', 'text', 'lesson', 'amount']) {
    expect(told).toContain(`"${name}"`)
  }
  const [, programs] = /<li>with programs(.*?)<\/li>/.exec(section('Who else receives data'))!
  for (const said of [
    'name',
    'email address',
    'completed',
    'posted',
    'reviewed',
    'decided',
    'paid',
  ]) {
    expect(programs).toContain(said)
  }
})

test('who can see what: reviews with their writers, and on profiles which courses somebody joined', () => {
  const [, everybody] = /<strong>Everybody<\/strong>(.*?)<\/li>/.exec(section('Who can see what'))!
  for (const said of ['reviews', 'members who wrote them', 'courses you joined']) {
    expect(everybody).toContain(said)
  }
})

test('who can see what: the entries of challenges, and what creators read of their learners', () => {
  const seen = section('Who can see what')
  const [, everybody] = /<strong>Everybody<\/strong>(.*?)<\/li>/.exec(seen)!
  for (const said of ['challenge', 'entries', 'winner']) expect(everybody).toContain(said)
  const [, instructor] = /<strong>The instructor of a course that you joined(.*?)<\/li>/.exec(seen)!
  for (const said of ['lessons you completed and when', 'when you posted', 'last day']) {
    expect(instructor).toContain(said)
  }
})

test('the policy names what is stored of days, videos that play, reports, tokens and webhooks', () => {
  const stored = section('What we store')
  for (const said of [
    'on which days you learned',
    'last played the video of a lesson',
    'posts and comments you reported',
    'names of your access tokens',
    'when it was last used',
    'addresses of your webhooks',
    'in the last 30 days',
  ]) {
    expect(stored).toContain(said)
  }
})

test('the policy names every way to log in and to be paid that is stored, and who hears of it', () => {
  const policy = words()
  for (const stored of [
    'hash of your password',
    'passkeys',
    'two-step verification',
    'telephone number',
    'wallet address',
    'which account of another service',
    'address of your PayPal account',
    'carries our text messages',
  ]) {
    expect(policy).toContain(stored)
  }
})

import { expect, test } from 'vitest'
import { problemPage } from './problem-page.ts'

const linkOn = async (address: string) => {
  const html = await problemPage(new Request(address), 503, 'Please wait.').text()
  return /<a href="([^"]*)">Try again<\/a>/.exec(html)?.[1]
}

test.each([
  ['/course/x?tab=members', '/course/x?tab=members'],
  ['/?a="><script>', '/?a=%22%3E%3Cscript%3E'],
  ['//evil.example/course.data', '/evil.example/course.data'],
  ['/\\evil.example/a', '/evil.example/a'],
])('“Try again” at %s leads to this site', async (asked, link) => {
  expect(await linkOn(`http://thunder.example${asked}`)).toBe(link)
})

import { describe, expect, test } from 'vitest'
import {
  isWebAddress,
  platformLabel,
  platforms,
  socialLink,
  socialProblem,
  websiteLabel,
} from './profile-links.ts'

describe('a social link', () => {
  test('is the platform’s address and the handle, with any @ removed', () => {
    expect(platforms.map((platform) => socialLink(platform, '@ann.lee'))).toEqual([
      'https://kick.com/ann.lee',
      'https://www.linkedin.com/in/ann.lee',
      'https://medium.com/@ann.lee',
      'https://rumble.com/c/ann.lee',
      'https://www.tiktok.com/@ann.lee',
      'https://www.twitch.tv/ann.lee',
      'https://x.com/ann.lee',
      'https://www.youtube.com/@ann.lee',
    ])
    expect(socialLink('x', '@@a@n@n')).toBe('https://x.com/ann')
  })

  test('is an address as it was given', () => {
    for (const address of [
      'https://www.youtube.com/@ann/videos?sort=p#top',
      'http://example.com',
      'HTTPS://X.com/ann',
    ]) {
      expect(socialLink('youtube', address)).toBe(address)
    }
  })

  test('takes what merely begins like an address for a handle', () => {
    expect(socialLink('x', 'httpster')).toBe('https://x.com/httpster')
  })

  test.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'java\u200bscript:alert(1)',
    '\u202ejavascript:alert(1)',
    '@javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'file:///etc/passwd',
    'ftp://example.com',
    'mailto:ann@example.com',
    'http:alert(1)',
    'http:/x',
    'https://',
    'https:///evil.example',
    'https://\\evil.example',
    'https://exa mple.com',
    'https://[',
  ])('is never made of %j', (value) => {
    expect(socialProblem('twitch', value)).toBe(
      'Twitch must be a handle, or an address that starts with http:// or https://',
    )
    expect(socialLink('twitch', value)).toBe(null)
  })

  test.each(['', '@', '@@', '\u200f', ' '])('is nothing for %j', (value) => {
    expect(socialLink('kick', value)).toBe(null)
  })

  test.each([
    '../../evil',
    '//evil.example',
    '\\\\evil.example',
    '.evil.example',
    '?next=//evil.example',
    '#x',
    '"><img src=x onerror=alert(1)>',
    '%2f%2fevil',
    '😀',
    '\u202eann',
    'lone \ud800',
    'x'.repeat(200),
  ])('stays on its platform with %j', (value) => {
    for (const platform of platforms) {
      const link = socialLink(platform, value)
      const own = socialLink(platform, 'ann')!
      expect(new URL(link!).host).toBe(new URL(own).host)
      expect(link).not.toMatch(/["<>\s]/)
    }
  })
})

test('a web address starts with http:// or https:// and names a host', () => {
  expect(
    ['https://example.com', 'http://localhost:3000/x', 'https://münchen.example'].every(
      isWebAddress,
    ),
  ).toBe(true)
  expect(
    [
      'example.com',
      '//example.com',
      'javascript:alert(1)',
      'http://',
      'https://a b',
      'ftp://x',
      'see https://example.com',
      'https://?x',
      'https://:80',
      'https://@',
      '',
    ].some(isWebAddress),
  ).toBe(false)
})

test('a website is shown without what everybody has', () => {
  expect(websiteLabel('https://www.ann.example/')).toBe('ann.example')
  expect(websiteLabel('http://ann.example:8080/blog/')).toBe('ann.example:8080/blog')
  expect(websiteLabel('https://my.www.example/a/b')).toBe('my.www.example/a/b')
  expect(websiteLabel(`https://ann.example/${'x'.repeat(48)}`)).toBe(
    `ann.example/${'x'.repeat(48)}`,
  )
  expect(websiteLabel(`https://ann.example/${'x'.repeat(49)}`)).toBe(
    `ann.example/${'x'.repeat(47)}…`,
  )
})

test('platforms have the names that people know', () => {
  expect(platforms.map(platformLabel)).toEqual([
    'Kick',
    'LinkedIn',
    'Medium',
    'Rumble',
    'TikTok',
    'Twitch',
    'X',
    'YouTube',
  ])
})

import { brand } from '../brand.ts'
import { LegalPage } from './legal-page.tsx'
import { pageMeta } from './page-meta.ts'
import { SupportLink } from './support-link.tsx'

export const meta = () =>
  pageMeta(
    'Accessibility',
    `How accessible ${brand.name} is, how we know, what is not good enough yet, and how to tell us.`,
    { path: '/accessibility' },
  )

export const handle = { still: true }

export default function Accessibility() {
  return (
    <LegalPage
      title="Accessibility Statement"
      effective={{ text: 'November 22, 2026', iso: '2026-11-22' }}
      inShort={
        <p>
          Everybody should be able to make and to take a course here. We aim at WCAG 2.2, level AA.
          Machines check every screen; people who use assistive technology every day have not yet.
          If something stops you, tell us: it is a fault, and we repair it.
        </p>
      }
      sections={sections}
    />
  )
}

const sections = [
  {
    id: 'aim',
    title: 'What we aim at',
    get body() {
      return (
        <p>
          All of {brand.name} is meant to conform to the Web Content Accessibility Guidelines 2.2 at
          level AA. We test for it as described below. Nobody outside has audited it, so we do not
          claim that it conforms.
        </p>
      )
    },
  },
  {
    id: 'how',
    title: 'What works',
    body: (
      <ul>
        <li>Everything can be reached and used by keyboard, and you see where you are.</li>
        <li>
          Dialogs keep the focus and give it back. Messages that appear are announced. The first
          link on each page skips to its content.
        </li>
        <li>
          A light and a dark theme, which follow your system until you choose. Text meets the
          contrast of level AA in both.
        </li>
        <li>Pages fit a window of 375 pixels without scrolling sideways.</li>
        <li>If your system asks for less motion, nothing moves.</li>
        <li>
          Public pages, forms for signing up, logging in, searching and joining work without
          JavaScript.
        </li>
        <li>
          Videos have captions, a transcript and keys for everything, where the creator has added
          captions. Nothing plays by itself unless you turn that on.
        </li>
        <li>Each chart is also said in words and has its figures in a table.</li>
        <li>What is moved by dragging can also be moved with buttons.</li>
      </ul>
    ),
  },
  {
    id: 'tests',
    title: 'How we test',
    body: (
      <>
        <p>Each change has to pass, before it is published:</p>
        <ul>
          <li>
            axe, a program that finds faults against these guidelines, on the screens in both
            themes, also with errors, empty lists and open dialogs;
          </li>
          <li>journeys in a real browser (Chromium) that use the keyboard alone;</li>
          <li>journeys with scripts turned off, and at the widths of a phone and a tablet;</li>
          <li>a test of every color of text against its background.</li>
        </ul>
        <p>
          Programs find only a part of what can be wrong. The list that follows is what we know of.
        </p>
      </>
    ),
  },
  {
    id: 'gaps',
    title: 'What is not good enough yet',
    body: (
      <ul>
        <li>
          We have not tested with screen readers (such as VoiceOver, NVDA, JAWS or TalkBack), nor
          with voice control.
        </li>
        <li>
          We test in Chromium. In Safari and Firefox we rely on the standards that they share with
          it.
        </li>
        <li>
          Captions, descriptions of pictures and readable texts in courses are up to their creators.
          A course can lack them.
        </li>
        <li>There is no way to add audio description or sign language to a video.</li>
        <li>
          Videos from other sites, such as YouTube, are shown in the player of that site, which is
          as accessible as its makers made it.
        </li>
        <li>Pages are in English only, whatever language a course is in.</li>
        <li>
          Payment pages, and the pages on which creators prove who they are, belong to the payment
          providers.
        </li>
        <li>
          Files to download (receipts, statements and certificates as PDF) carry no tags for screen
          readers. What they say is on the site too.
        </li>
      </ul>
    ),
  },
  {
    id: 'tell-us',
    title: 'Tell us',
    body: (
      <p>
        Write to <SupportLink />, in whatever way is easiest for you. Say which page it was and what
        you wanted to do. If a course is what you cannot use, tell its creator as well: the course’s
        page links to them.
      </p>
    ),
  },
]

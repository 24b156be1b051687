import { Link } from 'react-router'
import type { Mention } from '../schema.ts'
import { shownLink, splitText } from '../split-text.ts'

type PostTextProps = { text: string; mentions: Mention[] }

const linkClass = 'rounded-sm text-primary underline underline-offset-2 hover:text-primary-hover'

/** A plain text with its line breaks; its links can be followed, and who is named has a profile. */
export function PostText({ text, mentions }: PostTextProps) {
  const people = new Map(mentions.map((mention) => [mention.handle.toLowerCase(), mention]))
  return (
    // Each line is written in its own direction.
    <div className="wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext]">
      {splitText(text).map((part, index) => {
        if (part.kind === 'link') return <TextLink key={index} {...part} />
        if (part.kind === 'text') return part.text
        const person = people.get(part.handle.toLowerCase())
        return person?.username ? (
          <Link
            key={index}
            to={`/user/${person.username}`}
            className="font-semibold text-primary hover:underline"
          >
            @<bdi>{person.name}</bdi>
          </Link>
        ) : (
          part.text
        )
      })}
    </div>
  )
}

function TextLink({ text, href }: { text: string; href: string }) {
  const shown = shownLink(text)
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
      title={shown === text ? undefined : text}
      className={linkClass}
    >
      {shown}
    </a>
  )
}

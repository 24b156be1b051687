/** What people write about a course that they liked this much; any of these could be about any course. */
export const reviewWords: Record<2 | 3 | 4 | 5, string[]> = {
  5: [
    'Short lessons, no filler. I did one each evening and kept going, which I never do.',
    'The best explanation I have found. I had read about this for years without getting it.',
    `Exactly the right size. Each lesson ends with something to try, and trying it is where I learned.

I came back to the second chapter twice. Worth it both times.`,
    'Friendly, clear and honest about what is hard. I would take anything else by the same person.',
    'I finished it in a weekend and have used it every week since.',
    '',
    'I sent the link to my sister before I was through the first chapter.',
    'You can tell that this was written by somebody who has taught it many times.',
  ],
  4: [
    'Very good. One or two more examples in the last chapter and it would be perfect.',
    'Clear and well paced. I would have liked a printable summary.',
    'Taught me what I came for. The start is a little slow if you have seen some of it before.',
    '',
    'Good value for the time it takes. The exercises are the best part.',
  ],
  3: [
    'A solid start, but it stops where it gets interesting for me.',
    'Good lessons, though I had to look a few words up elsewhere.',
    '',
  ],
  2: ['Too short for what I hoped to learn. What is there is fine.'],
}

/** What creators answer, mostly to the critical ones. */
export const answerWords = [
  'Thank you for writing this. I am adding more examples to the last chapter this month.',
  'Fair point. The next version will go further; it will appear right here.',
  'Thank you! Write to me if something stays unclear.',
]

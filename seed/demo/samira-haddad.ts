import type { DemoCreator } from './demo-shape.ts'

export const samiraHaddad: DemoCreator = {
  name: 'Samira Haddad',
  bio: 'Mediator. I have sat between more arguing people than I can count, and I still like people.',
  courses: [
    {
      title: 'Hard Conversations, Calmly',
      shortDescription: 'Prepare, begin and survive the talk that you have been putting off.',
      description: `There is a conversation that you rehearse under the shower. This course helps you to have it: with a first sentence that does not accuse, a way to listen that is not waiting, and an ending that both of you can live with.`,
      category: 'Relationships',
      level: 'Beginner',
      chapters: [
        {
          title: 'Before',
          lessons: [
            {
              title: 'What happened, what I made of it',
              text: `Draw a line down a page. Left: what a camera would have recorded. Right: what you concluded. “You came at nine” is left. “I do not matter to you” is right. Bring only the left half, and offer the right half as your own.`,
            },
            {
              title: 'The first sentence',
              text: `Write it down and learn it. “I would like to talk about Thursday, because it is still on my mind and you matter to me. Is now good?” It names a thing, a reason and a choice.`,
            },
          ],
        },
        {
          title: 'During',
          lessons: [
            {
              title: 'Say back before you answer',
              text: `“You were tired, and it felt like one more demand. Is that it?” Wait for the yes. People who feel understood stop repeating themselves, and that alone halves most arguments.`,
            },
            {
              title: 'When it gets loud',
              text: `Lower your voice and slow down. If your pulse is above a hundred, you cannot listen: say that you will be back in twenty minutes, go, and come back in twenty minutes.`,
            },
            {
              title: 'End with something small',
              text: `Not “we will communicate better”. Rather “on Thursdays you text me by eight”. Small enough to be kept, and clear enough to be noticed.`,
            },
          ],
        },
      ],
    },
    {
      title: 'Build One Habit',
      shortDescription:
        'Thirty days, one habit, made so small that you cannot fail. Then let it grow.',
      description: `Willpower runs out by Wednesday. Places, times and tiny first steps do not. Choose one habit and set it up so that it happens on your worst day, too.`,
      category: 'Self-improvement',
      level: 'Beginner',
      chapters: [
        {
          title: 'Set it up',
          lessons: [
            {
              title: 'Make it ridiculous',
              text: `One push-up. One line. One minute. The size that you are embarrassed to tell anybody is the right one: you are training the beginning and not the exercise.`,
            },
            {
              title: 'After I…, I will…',
              text: `Hang it on something that you do every day anyway. “After I start the coffee machine, I write one line.” No clock, no app, no decision.`,
            },
          ],
        },
        {
          title: 'Keep it up',
          lessons: [
            {
              title: 'Never twice',
              text: `You will miss a day. It changes nothing. The second missed day is the beginning of another habit. So do the ridiculous version, in pyjamas if need be.`,
            },
            {
              title: 'Let it grow by itself',
              text: `On good days you will do more, because you have begun. Do not raise the minimum. It has to fit your worst day, and there will be one.`,
            },
          ],
        },
      ],
    },
    {
      title: 'Listen So That People Talk',
      shortDescription:
        'Four habits of good listeners, and a week of exercises to try on strangers.',
      description: `Listening is not being quiet until it is your turn. Four habits make people tell you what they mean. You can practise all of them today, at the baker's.`,
      category: 'Relationships',
      level: 'Beginner',
      chapters: [
        {
          title: 'Habits',
          lessons: [
            {
              title: 'Ask what, not why',
              text: `“Why” asks for a defence. “What made you decide that?” asks for a story. Try it for one day and count how much longer the answers are.`,
            },
            {
              title: 'Three seconds',
              text: `After they stop, count to three. Often the real sentence comes on two.`,
            },
            {
              title: 'Do not top it',
              text: `Somebody tells you of a hard week, and you know a harder one. Keep it. Ask one more question about theirs.`,
            },
          ],
        },
        {
          title: 'Practice',
          lessons: [
            {
              title: 'A week of small experiments',
              text: `- Monday: learn one new thing about somebody whom you see daily.
- Wednesday: have a conversation in which you only ask.
- Friday: tell somebody what you heard, and ask if you got it right.`,
            },
          ],
        },
      ],
    },
  ],
}

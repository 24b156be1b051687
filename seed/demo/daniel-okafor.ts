import type { DemoCreator } from './demo-shape.ts'

export const danielOkafor: DemoCreator = {
  name: 'Daniel Okafor',
  bio: 'I ran a bicycle workshop for nine years and now help other small businesses with the boring parts.',
  courses: [
    {
      title: 'Price Your First Service',
      shortDescription:
        'From “what do you think?” to a number that you can say without apologizing.',
      description: `Most freelancers copy a price, halve it out of nerves, and wonder where the year went. You will work out what an hour costs you, what a result is worth to your customer, and how to say the number and then be quiet.`,
      category: 'Business',
      level: 'Beginner',
      chapters: [
        {
          title: 'Your side',
          lessons: [
            {
              title: 'What a year costs',
              text: `Add rent, insurance, tools, tax and the salary you want. Divide by the days you can really sell: about 140, not 250. That figure is your floor. Write it on the wall.`,
            },
            {
              title: 'Hours are a bad unit',
              text: `The better you get, the less you earn by the hour. Describe the result instead (“the bike rides like new by Friday”) and put the price on that.`,
            },
          ],
        },
        {
          title: 'Their side',
          lessons: [
            {
              title: 'Ask what it costs them not to',
              text: `A van that stands still costs 300 a day. Somebody who knows that does not argue about 180. You only learn such numbers by asking, early, and with real interest.`,
            },
            {
              title: 'Say the number and stop',
              text: `Practise with a friend: “It is four hundred and eighty.” Full stop. Count to five in your head. The sentence that you add out of nerves is always a discount.`,
            },
          ],
        },
      ],
    },
    {
      title: 'A Marketing Plan on One Page',
      shortDescription: 'One customer, one promise, one channel, one number. Done by Thursday.',
      description: `Big plans die in drawers. Fill one page with five boxes, work with it for a month, and then change a single box. That is a whole method, and small businesses need no other.`,
      category: 'Marketing',
      level: 'Beginner',
      chapters: [
        {
          title: 'Fill the page',
          lessons: [
            {
              title: 'Box 1: one customer with a name',
              text: `Not “women of 25 to 45”. Take your best customer of last year and write down what she did in the hour before she called you. That hour is where your marketing belongs.`,
            },
            {
              title: 'Box 2: the promise in her words',
              text: `Read ten messages from customers and underline phrases that you would never have written. One of those is your headline.`,
            },
            {
              title: 'Boxes 3 to 5: channel, rhythm, number',
              text: `One channel that you enjoy enough to keep up. One day of the week for it. One number that you write down every Friday, such as calls from people you did not know.`,
            },
          ],
        },
        {
          title: 'Use the page',
          lessons: [
            {
              title: 'After a month, change one box',
              text: `If the number moved, change nothing. If it did not, change one box and keep the other four. Whoever changes everything learns nothing.`,
            },
          ],
        },
      ],
    },
    {
      title: 'Write Emails That Get Answers',
      shortDescription: 'Subject, first line, one question. Eight rewrites of real emails.',
      description: `We take eight emails that nobody answered and rewrite them together. The patterns repeat: the question is at the bottom, there are three of them, and the reader has to do the work.`,
      category: 'Marketing',
      level: 'Beginner',
      chapters: [
        {
          title: 'The anatomy',
          lessons: [
            {
              title: 'One email, one question',
              text: `Find the question marks in the last email you sent. More than one? Then the reader answers the easiest and forgets the others. Send two emails, or number them.`,
            },
            {
              title: 'The first line is the email',
              text: `On a phone, the subject and one line are all that shows. Put the question there. “Can you approve the blue version by Tuesday?” and then, for those who want it, the story.`,
            },
          ],
        },
        {
          title: 'Rewrites',
          lessons: [
            {
              title: 'The polite reminder',
              text: `“Just following up” gives the reader nothing new. Send a smaller question: “Shall I go ahead with blue unless I hear from you by Tuesday?” Silence is then an answer too.`,
            },
            {
              title: 'Saying no and staying friends',
              text: `Thank, decline in one sentence, offer something that you mean. No reasons: reasons are invitations to solve them.`,
            },
          ],
        },
      ],
    },
    {
      title: 'Meetings That End Early',
      shortDescription:
        'Half as many, half as long, and with something decided. For people without a title.',
      description: `You do not have to be the boss to fix a meeting. You need a question, a timer and the habit of writing the decision down where everybody can see it.`,
      category: 'Business',
      level: 'Intermediate',
      chapters: [
        {
          title: 'Before',
          lessons: [
            {
              title: 'Name it with a question',
              text: `“Budget” can go on for ever. “Do we hire in March or in June?” ends when it is answered. If you cannot find the question, send a memo instead.`,
            },
          ],
        },
        {
          title: 'During',
          lessons: [
            {
              title: 'Write in silence first',
              text: `Five minutes in which everybody writes down what they think, then a round. The quiet people are heard, and the loud ones have to compete with something.`,
            },
            {
              title: 'The decision on the wall',
              text: `Type it where all can read: what, who, until when. Ask if anybody would be surprised to read it in a month. Then let people go, even if twenty minutes are left. Especially then.`,
            },
          ],
        },
      ],
    },
  ],
}

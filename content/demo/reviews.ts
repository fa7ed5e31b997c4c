/** A guest's review of a demo business. Only approved ones are shown (Decision 12). */
export type DemoReview = {
  businessId: string
  authorName: string
  rating: 1 | 2 | 3 | 4 | 5
  body: string
  approved: boolean
  daysAgo: number
}

/** A review without its business: rating, first name and initial, days ago, text, and whether it awaits moderation. */
type Row = [
  rating: DemoReview['rating'],
  authorName: string,
  daysAgo: number,
  body: string,
  waiting?: 'waiting',
]

const rowsByBusiness: Record<string, readonly Row[]> = {
  'harbour-light-pavilion': [
    [
      5,
      'Priya S.',
      41,
      'We were married on the lawn in April and the light did exactly what they said it would. The staff moved the chairs twice without a sigh.',
    ],
    [
      5,
      'Daniel K.',
      96,
      'Dinner for 130 came out hot and on time. My grandmother in her wheelchair could reach every part of the building.',
    ],
    [
      4,
      'Anneliese W.',
      150,
      'Lovely room and kind people. Parking is short on a sunny Saturday, so tell your guests to take the ferry.',
    ],
    [5, 'Tom B.', 203, 'It rained all day and nobody remembers it that way.'],
    [
      4,
      'Mina R.',
      260,
      "We held my parents' fortieth here. The food was better than I expected from a function room, the speakers a little worse.",
    ],
    [5, 'Josephine L.', 318, 'Matilda answered every message the same day for eleven months.'],
    [
      3,
      'Craig H.',
      377,
      'Beautiful spot. The bar was one person for 140 guests in the first hour and the queue showed it. They apologised and took it off the bill.',
    ],
    [5, 'Hana T.', 480, 'Best decision of the whole wedding was walking past here one evening.'],
    [5, 'Sienna M.', 6, 'Married here on Saturday. Still smiling.', 'waiting'],
  ],
  'long-paddock-woolshed': [
    [
      5,
      'Lachlan M.',
      33,
      'Camped with sixty friends and woke up to egg rolls. The shed needs hardly any decoration.',
    ],
    [
      4,
      'Rosa D.',
      88,
      'Bring a warm coat even in January. Hamish lends blankets but not enough for everyone.',
    ],
    [5, 'Ellen P.', 190, 'The children vanished to the creek at two and came back at dinner. Perfect.'],
    [
      4,
      'Joel F.',
      342,
      'Food came in huge platters, nobody went hungry. Reception on the phone is poor, so print your directions.',
    ],
  ],
  'quarry-road-glasshouse': [
    [
      5,
      'Nikos A.',
      24,
      'Cheaper and prettier than anything else we saw in the inner north. Loading through the lane was easy.',
    ],
    [
      4,
      'Claire V.',
      115,
      "We ran a company planning day here and nobody wanted to go back to the office. Warm by three o'clock.",
    ],
    [5, 'Bao N.', 207, 'Photographs at night with the lamps on came out like a film.'],
  ],
  'saltbush-and-vine': [
    [
      5,
      'Georgina T.',
      62,
      'The long lunch was the right call. We ate from noon to five and nobody looked at a phone.',
    ],
    [
      5,
      'Marco L.',
      170,
      'Choosing dishes a month before felt late, but every one of them was in season and it showed.',
    ],
    [
      4,
      'Sally O.',
      291,
      'The midnight bus was full. Ask for a second one if you have more than fifty for Adelaide.',
    ],
  ],
  'tidewater-boatshed': [
    [5, 'Ingrid S.', 52, 'Small, warm, and the sound of the tide under the speeches.'],
    [
      4,
      'Pat C.',
      240,
      'We were sixty and could not have fitted five more. Choose it for the right size of party.',
    ],
  ],
  'jacaranda-rooms': [
    [5, 'Beth A.', 19, "High tea for my sister's baby shower, thirty of us, scones actually hot."],
    [
      4,
      'Raj M.',
      101,
      'We used the back room for a retirement lunch. Good screen, clear sound, generous coffee.',
    ],
    [5, 'Louisa K.', 166, 'The terrace in October deserves the waiting list.'],
    [4, 'Dean P.', 222, 'Front room is a touch echoey when all forty talk at once. Lovely staff.'],
    [
      2,
      'Alana J.',
      310,
      'Our start time was mixed up with another group and we stood on the terrace for half an hour. They gave us a discount, but it spoiled the surprise.',
    ],
  ],
  'passage-point-estate': [
    [
      5,
      'Verity C.',
      70,
      'Eye-watering, and worth it. They ran eighty guests, two boats and a cyclone warning without raising their voices.',
    ],
    [4, 'Hugh D.', 145, 'Flawless food and service. The itemised wine list needs a careful eye.'],
  ],
  'ghost-gum-courtyard': [
    [
      5,
      'Tamsin E.',
      58,
      'Red rocks, fire drums, stars. Our guests from Melbourne are still talking about it.',
    ],
    [5, 'Warren Y.', 133, 'Clem thought of blankets before we did.'],
  ],
  'old-ink-works': [
    [
      5,
      'Saskia B.',
      37,
      'Danced till one, walked to the train. The paint in the floor looks great in photos.',
    ],
    [
      4,
      'Ahmed Z.',
      140,
      'Huge space, needs a crowd. With 90 people it felt a bit empty until the lights went down.',
    ],
    [5, 'Lucy G.', 211, 'Bar team were quick and funny.'],
  ],
  'weatherboard-hall': [
    [5, 'Imogen H.', 81, 'Slow lamb, bush dance, creek. The piano is in tune, as promised.'],
    [4, 'Steve W.', 205, 'The drive in is winding, allow more time than the map says.'],
    [
      4,
      'Kylie N.',
      9,
      'Charming hall, and we loved the cooks. Could do with more lights on the path at night.',
      'waiting',
    ],
  ],
  'lagoons-edge': [
    [
      5,
      'Oliver & Jan P.',
      66,
      'Thirty-four guests, one table, kingfish caught that morning. They sorted out every flight.',
    ],
    [
      5,
      'Meredith A.',
      180,
      'We chose the banyans at the last minute because of the wind. Nobody minded carrying a chair.',
    ],
  ],
  'limestone-store': [
    [5, 'Caitlin R.', 45, 'Cool inside on a 39 degree day. We used their records and never missed a DJ.'],
    [
      4,
      'Matteo F.',
      160,
      'They warned us about the wind and we did not listen. Petals everywhere. Their broom was ready.',
    ],
    [5, 'Sharon I.', 275, 'My fiftieth, eighty people, easy from first call to last drink.'],
  ],
  'two-dams-vineyard': [
    [5, 'Phoebe J.', 28, 'The six-minute walk up through the vines was the calmest I felt all day.'],
    [5, 'Andrew S.', 92, 'One sentence per wine. It is a good rule and they keep it.'],
    [4, 'Nadine B.', 177, 'Excellent dinner. The twelve rooms go quickly, so decide early who gets them.'],
    [5, 'Will T.', 266, 'Breakfast on the verandah was as good as the wedding.'],
  ],
  'stringybark-terrace': [
    [4, 'Fiona M.', 73, 'Farewell dinner for ninety with fourteen dietary needs, all met. Decor is plain.'],
    [5, 'Gareth L.', 199, "The quiet room saved my father's speech."],
  ],
  'riverbend-rooms': [
    [5, 'Zeinab H.', 15, 'Three hundred and twenty guests and the food stayed hot for the last table.'],
    [
      4,
      'Jaswinder S.',
      108,
      'Good LED wall, big dance floor. Air conditioning struggled when everyone was dancing bhangra.',
    ],
    [5, 'Mele F.', 187, 'They let my aunties into the kitchen. That is all you need to know.'],
    [3, 'Peter V.', 254, 'Food great, but the valet queue at the end took forty minutes.'],
    [1, 'Anon A.', 12, 'Worst place ever do not go.', 'waiting'],
  ],
  'frangipani-deck': [
    [
      5,
      'Brooke L.',
      47,
      'A storm came through in the middle of the vows and it was magnificent. Not a drop on us.',
    ],
    [4, 'Dom T.', 99, 'Great barbecue. Mozzie coils would help.'],
  ],
  'okafor-and-daughters': [
    [
      5,
      'Holly C.',
      30,
      'Adaeze found both hiding uncles. The pictures of my mum are the best ever taken of her.',
    ],
    [5, 'Vikki S.', 84, 'Next-morning photos made us cry in the airport.'],
    [5, 'Edmund T.', 173, 'Three rolls of film, all treasures. Album took a while but is beautiful.'],
    [4, 'Paula J.', 290, 'Wonderful pictures, six weeks instead of four in December.'],
  ],
  'kestrel-and-fern': [
    [5, 'Alice D.', 49, 'The box of prints went around the table at Christmas. Nobody opened the website.'],
    [4, 'Geoff H.', 188, 'We got mist. She was thrilled, and so were we in the end.'],
  ],
  'salt-plate-studio': [
    [5, 'Rachel Y.', 22, 'She stood in the surf in her clothes to get the shot. We did not ask her to.'],
    [5, 'Ben O.', 77, 'One hour, forty pictures, exactly right for our elopement.'],
    [4, 'Trish A.', 143, 'A bit windswept, all of us, but that is Manly.'],
  ],
  'northlight-portrait': [
    [5, 'Dorian F.', 61, 'Sequins handled with skill.'],
    [5, 'Mei W.', 138, 'Headshots for twelve of us in two hours, and we all still like them.'],
    [4, 'Josh R.', 5, 'Great with a nervous sitter. Bit warm up there.', 'waiting'],
  ],
  'wide-verandah': [
    [5, 'Losa T.', 35, 'Three hundred relatives and he learned their names.'],
    [5, 'Katerina P.', 120, 'The restored picture of my grandparents stopped the room.'],
    [4, 'Michael B.', 200, 'Natural photos, hardly any posed ones. Ask if you want group shots.'],
  ],
  'tanabe-twins': [
    [
      5,
      'Naomi K.',
      27,
      'They directed my parents in Japanese and my in-laws in English without missing a moment.',
    ],
    [5, 'Shane L.', 90, 'Half past four is early. The pictures are why.'],
  ],
  'hartmann-frame-and-field': [
    [5, 'Hannah Z.', 54, 'The oak frame is heavy and gorgeous. Knows the valley row by row.'],
    [4, 'Colin J.', 232, 'He told our driver not to take the creek track. Our driver took the creek track.'],
  ],
  'capital-and-field': [
    [5, 'Elliot D.', 64, 'Hundred photos by nine, as promised in writing.'],
    [5, 'Linh T.', 151, 'We forgot she was there, and then saw everything we had missed.'],
    [4, 'Robert C.', 230, 'Efficient, a little reserved, first-class results.'],
  ],
  'reef-and-rain': [
    [5, 'Emily & Kurt S.', 46, 'Creek photos with muddy hems. Our favourites by far.'],
    [5, 'Deb F.', 128, 'Tides, stingers, showers, all planned for. We only had to turn up.'],
  ],
  'plait-and-pine': [
    [5, 'Freya L.', 36, 'Survived a ceilidh, a river swim and a night in a tent.'],
    [5, 'Susannah B.', 129, 'Corrie was calm with four flower girls under six.'],
    [4, 'Miriam H.', 215, 'Lovely braids. Ran twenty minutes late after the trial, not on the day.'],
  ],
  'salon-figtree': [
    [5, 'Joyce L.', 18, 'Eight-minute change, practised twice, done in seven.'],
    [5, 'Vanessa C.', 75, 'My hair has never held a curl for a full day before.'],
    [5, 'Adeline Y.', 134, 'The steamed buns at six in the morning were everything.'],
    [4, 'Stella H.', 207, 'Very good, and very early.'],
  ],
  'coil-and-crown': [
    [5, 'Chiamaka O.', 29, 'Finally, a stylist who did not sigh when I took my scarf off.'],
    [5, 'Abena K.', 98, 'Gele for nine aunties, tied in an hour. Flawless.'],
    [5, 'Marcus W.', 180, 'My locs have never been so tidy.'],
    [4, 'Teresa N.', 250, 'Book the extra hour for detangling. She is right.'],
  ],
  'bobbin-hair': [
    [5, 'Daphne R.', 57, 'My waves lasted until the Tuesday.'],
    [5, 'Imelda C.', 166, "Hen's night in the salon with records. Everyone left looking like 1934."],
  ],
  'ruby-and-comb': [
    [5, 'Rania A.', 13, 'My tiara weighed a kilo and I forgot it was there.'],
    [5, 'Sumaiya K.', 68, 'Pleats in place through a forty-minute zaffe.'],
    [4, 'Dina F.', 155, 'Beautiful suite, busy street. Be dropped at the side door.'],
  ],
  'redgum-barbers': [
    [5, 'Harpreet G.', 39, 'Dev is an artist. The back room was a thoughtful touch.'],
    [5, 'Luke B.', 103, 'Eight of us in two hours. The best man has never looked so respectable.'],
    [4, 'Simon D.', 218, 'Good shave, small room.'],
  ],
  'lotus-and-line': [
    [5, 'Lakshmi R.', 23, 'The jasmine opened halfway through the ceremony, as she said it would.'],
    [5, 'Divya M.', 82, 'Four in the morning, five stylists, no drama.'],
    [5, 'Kavitha S.', 147, 'Draped eleven sarees in under an hour.'],
    [4, 'Neha P.', 233, 'Slightly heavier make-up than I asked for. They softened it straight away.'],
  ],
  'slow-circles': [
    [5, 'Theo M.', 17, 'Rebetika into Cold Chisel. It worked and I still do not know how.'],
    [5, 'Gemma W.', 80, 'Dinner records so good that people asked for a list.'],
    [4, 'Scott F.', 162, 'Brilliant. We could have used one more speaker outside.'],
    [5, 'Aisha D.', 240, 'The three banned songs stayed banned, despite my uncle.'],
  ],
  'the-brass-tacks': [
    [5, 'Bridie O.', 42, 'The parade stopped traffic and the traffic did not mind.'],
    [5, 'Jonah S.', 130, 'Our odd choice of first dance became the hit of the night.'],
    [4, 'Wendy L.', 251, 'Loud in a small room. Marvellous outside.'],
  ],
  'saffron-sound': [
    [5, 'Manpreet B.', 26, 'Eleven speeches in fifty-five minutes. Reena should run the country.'],
    [5, 'Ishaan V.', 94, 'Dhol on the back of a truck through Dandenong. My nani danced.'],
    [4, 'Charlotte R.', 170, 'Very loud and very joyful.'],
  ],
  'golden-needle': [
    [5, 'Carla P.', 34, 'Silent disco at eleven with my seventy-year-old father on channel two.'],
    [4, 'Jake N.', 104, 'Latin DJ was superb. Two headsets had flat batteries.'],
    [5, 'Amy L.', 175, 'The song that gets Mum up got Mum up.'],
  ],
  'quartet-at-four': [
    [5, 'Elaine T.', 59, 'Dinosaurs at the signing. My husband has not recovered.'],
    [5, 'Marguerite F.', 196, 'Heavenly playing, tidy people.'],
  ],
  'big-river-ceilidh-band': [
    [5, 'Isla K.', 43, 'Morag could make statues dance.'],
    [5, 'Bernard Q.', 137, 'Ninety people who had never met, all in one circle by half past seven.'],
    [4, 'Toni M.', 224, 'My knees.'],
  ],
  'moreton-soundcraft': [
    [5, 'Joan B.', 61, 'The loop worked. It nearly never does.'],
    [4, 'Darren K.', 185, 'Solid technical crew. Not cheap for a small meeting.'],
  ],
  'the-velvet-hour': [
    [5, 'Rosalind G.', 47, 'Inez stopped the conversation twice, in the best sense.'],
    [5, 'Ted B.', 141, 'Carried a piano up two flights and then played it beautifully.'],
  ],
  'long-lunch-collective': [
    [5, 'Harriet B.', 20, 'I stole from the vegan table.'],
    [
      5,
      'Chris V.',
      85,
      'Total fire ban on the day. They arrived with ovens and nobody could tell the difference.',
    ],
    [5, 'Leanne D.', 171, 'Four hours, eight dishes, not a plate dropped.'],
    [4, 'Arthur S.', 243, 'Sublime food. Smoke drifted across the top table for a while.'],
  ],
  'three-aunties-kitchen': [
    [5, 'Viliami T.', 16, 'The pork. The taro. The containers to take home.'],
    [5, 'Sandra G.', 73, 'Fed 180 people at a school fete for less than pizza would have cost.'],
    [5, 'Apinelu F.', 146, "Like my grandmother's, and I do not say that."],
    [4, 'Louise K.', 220, 'Vast amounts of food. Say it twice if you have only sixty guests.'],
  ],
  'ember-and-saffron': [
    [5, 'Marisol V.', 55, 'Proper crust on the bottom. I am from Valencia and I had seconds.'],
    [4, 'Keith A.', 125, 'Great theatre. The vegetarian pan ran out first.'],
  ],
  'kelp-and-cleaver': [
    [5, 'Sebastian R.', 50, 'Twenty oysters a minute, I counted.'],
    [5, 'Nora H.', 178, 'A proper restaurant dinner in a sheep paddock.'],
  ],
  'masala-mile': [
    [5, 'Hetal J.', 23, 'Our Jain guests could eat everything on their table without asking once.'],
    [5, 'Imran Q.', 97, 'Jalebi at ten at night. Genius.'],
    [4, 'Bronwyn C.', 189, 'Fantastic food, slightly chaotic queue at the chaat.'],
    [5, 'Suresh N.', 265, 'Four hundred fed in fifty minutes.'],
  ],
  'smoke-and-mulga': [
    [5, 'Hayley C.', 77, 'Dinner for fifty in a creek bed, hot, on time.'],
    [4, 'Ian T.', 168, 'The brisket is as good as they say. Pudding a bit dry.'],
  ],
  'hinterland-table': [
    [5, 'Pippa W.', 33, 'Buffalo curd with ginger at the tasting. Sold.'],
    [5, 'Jared S.', 127, 'We trusted them. Correct decision.'],
    [4, 'Olga R.', 211, 'Delicious, portions on the fine side for tradies.'],
  ],
  'ferraro-cakes': [
    [5, 'Carmela D.', 27, 'The shell cracked. My nonno nodded. There is no higher praise.'],
    [5, 'Brent L.', 106, 'Least sweet wedding cake I have had, and the best.'],
    [4, 'Yasmin O.', 182, 'Order the bigger tower.'],
  ],
  'harvest-hall-catering': [
    [5, 'Maureen P.', 58, "They did Dad's funeral tea with two days' notice and great tenderness."],
    [5, 'Alistair G.', 205, 'Sponges like clouds, and sandwiches that did not curl.'],
  ],
  'paper-boat-films': [
    [5, 'Thu H.', 21, 'The interview with Bà is the most precious thing we own.'],
    [5, 'Kelly M.', 89, 'Forgot he was there. Nine perfect minutes.'],
    [4, 'Marcus D.', 172, 'Took twelve weeks. Good things do.'],
    [5, 'Alex P.', 246, 'Dad was so nervous with the recorder and so pleased with the result.'],
  ],
  'southbank-second-look': [
    [5, 'Lupe V.', 24, 'Same-day edit at dessert. The whole hall stood up.'],
    [5, 'Henry W.', 105, 'One-minute cut in our inbox at 11.40 pm.'],
    [4, 'Sophie L.', 190, 'Slight typo in a caption, fixed overnight.'],
  ],
  'cape-motion': [
    [5, 'Freya & Jon B.', 31, 'Our witnesses were our film crew. Four minutes of magic.'],
    [5, 'Candice O.', 99, 'Whale in the background. They say they cannot guarantee it.'],
    [3, 'Tim R.', 160, 'The film is stunning, but it came a month late and we had to chase.'],
  ],
  'plainspoken-films': [
    [5, 'Barbara N.', 36, 'Fifteen minutes about my mother that told me things I never knew.'],
    [5, 'Leo S.', 154, 'Recorded a memorial with real discretion.'],
  ],
  'hunter-frame-by-frame': [
    [4, 'Emma C.', 71, 'Guest messages are hilarious and a bit rude.'],
    [5, 'Vaughan S.', 198, 'Quiet, tidy crew.'],
  ],
  'run-sheet-and-co': [
    [5, 'Laura P.', 26, 'Safety pin, aspirin, charger: all produced before I asked.'],
    [5, 'Chen W.', 91, 'The one-page budget kept us sane and married.'],
    [5, 'Judith M.', 184, 'She found parking for a harp.'],
    [4, 'Bianca T.', 260, 'Used 44 hours when we expected 36, though each was accounted for.'],
  ],
  'fete-champetre': [
    [5, 'Rosemary H.', 44, 'The donkey had better manners than my cousins.'],
    [4, 'Felicity B.', 161, 'Impeccable taste and firm opinions, as advertised.'],
  ],
  'good-company-events': [
    [5, 'Sam C.', 17, 'Fed early, no slides read aloud. Staff asked for them again.'],
    [5, 'Divya K.', 87, 'Saved us more than their fee in supplier discounts.'],
    [4, 'Paul N.', 176, 'Very efficient. A little more sparkle next year.'],
  ],
  'henna-and-horizon': [
    [5, 'Hafsa M.', 33, 'She planned dinner for when people would really come.'],
    [5, 'Layla B.', 108, 'Stage was breathtaking and the all-women crew made the night.'],
    [4, 'Ayesha R.', 196, 'Great suppliers. Replies slow during Ramadan, understandably.'],
  ],
  'capes-and-vines': [
    [5, 'Aoife D.', 28, 'Twenty Irish guests, no lost luggage, no lost guests.'],
    [5, 'Mitch R.', 113, 'Buses in both directions. Yes.'],
    [4, 'Gail S.', 205, 'Pricey in hours but we would have drowned without her.'],
  ],
  'harvest-moon-events': [
    [5, 'Lotte K.', 57, 'One event a day means all of their attention.'],
    [4, 'Brad J.', 174, 'Oak, linen, candles. Simple, right.'],
  ],
  'gather-and-adjourn': [
    [5, 'Ambrose T.', 82, 'Seated my two former wives perfectly.'],
    [4, 'Helena V.', 201, 'Formal, precise and unexpectedly funny.'],
  ],
  'wild-hedge-flowers': [
    [5, 'Matilda R.', 30, 'Rosehips and fern in June. More beautiful than anything I had pinned.'],
    [5, 'Sue H.', 104, 'They came back for the compost. Of course they did.'],
    [4, 'Vera C.', 188, 'You do have to let go of peonies.'],
  ],
  'one-good-booth': [
    [5, 'Lena F.', 25, 'The album with glue and notes is our wedding book now.'],
    [5, 'Oscar P.', 93, 'Queue all night, in a good way.'],
    [4, 'Trinh N.', 150, 'Small booth. Four tall men is the limit.'],
  ],
  'clementine-and-sons': [
    [5, 'Rod & Shirley B.', 61, 'Arrived at our golden anniversary as we did in 1974.'],
    [5, 'Casey L.', 175, 'The little red one. Two people who like each other, indeed.'],
    [4, 'Damien O.', 280, 'Hot in January, no air conditioning in a 1957 car, obviously.'],
  ],
  'words-by-winnie': [
    [5, 'Grant E.', 34, 'She wrote what we meant, better than we said it.'],
    [5, 'Kiri T.', 126, "Jude's Auslan was wonderful for my side of the family."],
    [5, 'Moses A.', 202, 'Married in a hospital room. She made it the right size.'],
  ],
  'range-marquees': [
    [5, 'Janelle W.', 70, 'Wind gusted to sixty and nothing moved.'],
    [4, 'Trev H.', 190, "Crew were quick and careful with Mum's lawn. One table wobbled."],
  ],
  'kids-table': [
    [5, 'Bree O.', 15, 'I danced. With my husband. For an hour.'],
    [5, 'Tamara V.', 79, 'They had a quiet tent for my daughter, who needed it.'],
    [4, 'Col P.', 143, 'Wonderful carers, slime on a suit.'],
    [5, 'Zara K.', 3, 'Booked for two hours, wished for five.', 'waiting'],
  ],
}

/** Every demo review, newest first within a business. */
export const demoReviews: readonly DemoReview[] = Object.entries(rowsByBusiness).flatMap(
  ([businessId, rows]) =>
    rows
      .map(([rating, authorName, daysAgo, body, waiting]) => ({
        businessId,
        authorName,
        rating,
        body,
        approved: waiting === undefined,
        daysAgo,
      }))
      .sort((a, b) => a.daysAgo - b.daysAgo),
)

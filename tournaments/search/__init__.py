"""What people look for by a few typed words: names of bots, people, teams, ladders and events, and what those say."""

// @title@: a bot of mine. README.md says what it is asked, what it sees and what it may answer.
using System;
using System.Collections.Generic;

public static class Bot
{
    /// <summary>A legal answer to `turn.Ask`; `turn.View` is what your seat may know. What is better is for you to find.</summary>
    public static IAnswer Choose(Turn turn)
    {
@cases@        throw new ArgumentException("a question of an unknown kind: " + turn.Ask);
    }

    public static void Main()
    {
        Boardroom.Play(Choose);
    }
}

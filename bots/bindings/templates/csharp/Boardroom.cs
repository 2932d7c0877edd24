using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;

/// <summary>The CPU time of a bot, in milliseconds.</summary>
public sealed class Clock
{
    public long AnswerMs, BankMs, StartMs, IncrementMs;

    public static Clock Read(object it)
    {
        var from = Json.Object(it);
        return new Clock
        {
            AnswerMs = Json.Field(from, "answer_ms", Json.Whole),
            BankMs = Json.Field(from, "bank_ms", Json.Whole),
            StartMs = Json.Field(from, "start_ms", Json.Whole),
            IncrementMs = Json.Field(from, "increment_ms", Json.Whole),
        };
    }
}

/// <summary>The greeting.</summary>
public sealed class Hello
{
    public string Game;
    public long Rules, Seat, Seats;
    public Dictionary<string, object> Options;
    public Clock Clock;
    public Dictionary<string, long> Limits;

    public static Hello Read(object it)
    {
        var from = Json.Object(it);
        return new Hello
        {
            Game = Json.Field(from, "game", Json.Text),
            Rules = Json.Field(from, "rules", Json.Whole),
            Seat = Json.Field(from, "seat", Json.Whole),
            Seats = Json.Field(from, "seats", Json.Whole),
            Options = Json.Field(from, "options", Json.Object),
            Clock = Json.Field(from, "clock", Clock.Read),
            Limits = Json.Field(from, "limits", Json.Map(Json.Whole)),
        };
    }
}

/// <summary>How the match ended, by seat.</summary>
public sealed class End
{
    public List<long> Places, Scores;

    public static End Read(object it)
    {
        var from = Json.Object(it);
        return new End
        {
            Places = Json.Field(from, "places", Json.List(Json.Whole)),
            Scores = Json.Field(from, "scores", Json.List(Json.Whole)),
        };
    }
}

/// <summary>Plays one match over stdin and stdout: a line of JSON for each message.</summary>
public static class Boardroom
{
    private static readonly Encoding Plain = new UTF8Encoding(false);

    /// <summary>
    /// Plays until the end, which it gives; null if there was none. `choose` gives a legal answer to `turn.Ask`. What you
    /// print yourself goes to stderr.
    /// </summary>
    public static End Play(Func<Turn, IAnswer> choose)
    {
        Console.SetOut(Console.Error);
        try
        {
            return Listen(choose, new StreamReader(Console.OpenStandardInput(), Plain), Console.OpenStandardOutput());
        }
        catch (Unreadable reason)
        {
            Console.Error.WriteLine(reason.Message);
            Environment.Exit(1);
            return null;
        }
    }

    private static End Listen(Func<Turn, IAnswer> choose, TextReader lines, Stream to)
    {
        Hello hello = null;
        for (var line = Next(lines); line != null; line = Next(lines))
        {
            var message = Json.Object(Json.Parse(line));
            var kind = Json.Field(message, "t", Json.Text);
            if (kind == "hello")
            {
                hello = Hello.Read(message);
                Say(Json.Fields("t", "ready"), to);
            }
            else if (kind == "question") Say(Json.Fields("action", choose(Turn.Read(hello, message))), to);
            else return End.Read(message);
        }
        return null;
    }

    /// <summary>The next line, which a line feed alone ends; null at the end.</summary>
    private static string Next(TextReader from)
    {
        var line = new StringBuilder();
        var sign = from.Read();
        for (; sign >= 0 && sign != '\n'; sign = from.Read()) line.Append((char)sign);
        return sign < 0 && line.Length == 0 ? null : line.ToString();
    }

    private static void Say(object message, Stream to)
    {
        var line = new StringBuilder();
        Json.Write(message, line);
        var bytes = Plain.GetBytes(line.Append('\n').ToString());
        to.Write(bytes, 0, bytes.Length);
        to.Flush();
    }

    /// <summary>A number that `boardroom tune` may set; `otherwise` is what it is when nobody does.</summary>
    public static double Parameter(string name, double otherwise)
    {
        double set;
        var text = Environment.GetEnvironmentVariable("BOARDROOM_PARAM_" + name);
        return double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out set) ? set : otherwise;
    }

    /// <summary>A list from 0 up, of so many.</summary>
    public static List<long> Numbers(int many)
    {
        return Enumerable.Range(0, many).Select(number => (long)number).ToList();
    }
}

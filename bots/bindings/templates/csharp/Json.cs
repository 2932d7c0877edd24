using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;

/// <summary>What is written as JSON by what it says of itself.</summary>
public interface IPlain
{
    object Plain();
}

/// <summary>Why a text, or a value in it, is not what it should be.</summary>
public sealed class Unreadable : Exception
{
    public Unreadable(string reason) : base(reason) { }
}

/// <summary>JSON, read and written with the system's own classes: dictionaries, lists, strings, long, double, bool and null.</summary>
public sealed class Json
{
    /// <summary>Lists and objects may be this deep in each other.</summary>
    public const int Deepest = 200;

    // As JSON spells numbers: no leading zero or plus, digits on both sides of the point.
    private static readonly Regex Number = new Regex(@"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?\z");

    private readonly string text;
    private int at;
    private int depth;

    private Json(string text)
    {
        this.text = text;
    }

    public static object Parse(string text)
    {
        var reader = new Json(text);
        var value = reader.Value();
        reader.Blank();
        if (reader.at < text.Length) throw reader.Bad("end");
        return value;
    }

    public static Dictionary<string, object> Object(object it)
    {
        return it as Dictionary<string, object> ?? throw Other("an object", it);
    }

    /// <summary>The field of an object.</summary>
    public static T Field<T>(Dictionary<string, object> from, string name, Func<object, T> read)
    {
        object it;
        from.TryGetValue(name, out it);
        try
        {
            return read(it);
        }
        catch (Unreadable reason)
        {
            throw new Unreadable(name + ": " + reason.Message);
        }
    }

    public static long Whole(object it)
    {
        return it is long ? (long)it : throw Other("a whole number", it);
    }

    public static double Real(object it)
    {
        return it is double ? (double)it : it is long ? (long)it : throw Other("a number", it);
    }

    public static bool Truth(object it)
    {
        return it is bool ? (bool)it : throw Other("true or false", it);
    }

    public static string Text(object it)
    {
        return it as string ?? throw Other("a text", it);
    }

    public static object Any(object it)
    {
        return it;
    }

    public static Func<object, T> Optional<T>(Func<object, T> read) where T : class
    {
        return it => it == null ? null : read(it);
    }

    public static Func<object, T?> Maybe<T>(Func<object, T> read) where T : struct
    {
        return it => it == null ? (T?)null : read(it);
    }

    public static Func<object, List<T>> List<T>(Func<object, T> read)
    {
        return it => (it as List<object> ?? throw Other("a list", it)).Select(read).ToList();
    }

    public static Func<object, Dictionary<string, T>> Map<T>(Func<object, T> read)
    {
        return it => Object(it).ToDictionary(pair => pair.Key, pair => read(pair.Value));
    }

    /// <summary>A dictionary of names and values, one after the other.</summary>
    public static Dictionary<string, object> Fields(params object[] pairs)
    {
        var made = new Dictionary<string, object>();
        for (var place = 0; place < pairs.Length; place += 2) made[(string)pairs[place]] = pairs[place + 1];
        return made;
    }

    public static Unreadable Other(string wanted, object it)
    {
        var found = new StringBuilder();
        Write(it, found);
        return new Unreadable("must be " + wanted + ", not " + found.ToString(0, Math.Min(60, found.Length)));
    }

    public static void Write(object it, StringBuilder to)
    {
        if (it is IPlain) Write(((IPlain)it).Plain(), to);
        else if (it == null) to.Append("null");
        else if (it is string) Quote((string)it, to);
        else if (it is bool) to.Append((bool)it ? "true" : "false");
        else if (it is double) to.Append(Spelled((double)it));
        else if (it is IDictionary) WriteMap((IDictionary)it, to);
        else if (it is IEnumerable) WriteList((IEnumerable)it, to);
        else to.Append(Convert.ToString(it, CultureInfo.InvariantCulture));
    }

    private static void WriteMap(IDictionary map, StringBuilder to)
    {
        var before = "{";
        foreach (DictionaryEntry entry in map)
        {
            to.Append(before);
            Quote((string)entry.Key, to);
            to.Append(':');
            Write(entry.Value, to);
            before = ",";
        }
        to.Append(map.Count == 0 ? "{}" : "}");
    }

    private static void WriteList(IEnumerable items, StringBuilder to)
    {
        var before = "";
        to.Append('[');
        foreach (var item in items)
        {
            to.Append(before);
            Write(item, to);
            before = ",";
        }
        to.Append(']');
    }

    /// <summary>JSON has no NaN and nothing infinite.</summary>
    private static string Spelled(double it)
    {
        return double.IsNaN(it) || double.IsInfinity(it) ? "null" : it.ToString("R", CultureInfo.InvariantCulture);
    }

    private static void Quote(string text, StringBuilder to)
    {
        to.Append('"');
        foreach (var sign in text)
        {
            if (sign < ' ' || char.IsSurrogate(sign)) to.Append("\\u").Append(((int)sign).ToString("x4"));
            else to.Append(sign == '"' || sign == '\\' ? "\\" : "").Append(sign);
        }
        to.Append('"');
    }

    private Unreadable Bad(string wanted)
    {
        return new Unreadable("the JSON has no " + wanted + " at character " + at);
    }

    /// <summary>The next character; NUL at the end.</summary>
    private char Peek()
    {
        return at < text.Length ? text[at] : '\0';
    }

    private void Blank()
    {
        while (Peek() == ' ' || Peek() == '\t' || Peek() == '\n' || Peek() == '\r') at++;
    }

    /// <summary>Whether this one is next, behind blanks; then it is taken.</summary>
    private bool Takes(char sign)
    {
        Blank();
        var here = Peek() == sign;
        at += here ? 1 : 0;
        return here;
    }

    private object Value()
    {
        Blank();
        switch (Peek())
        {
            case '"': return Quoted();
            case '[': return Within(Items);
            case '{': return Within(Entries);
            case 't': return Word("true", true);
            case 'f': return Word("false", false);
            case 'n': return Word("null", null);
            default: return Digits();
        }
    }

    private object Within(Func<object> read)
    {
        at++;
        if (++depth > Deepest) throw new Unreadable("the JSON is more than " + Deepest + " deep at character " + at);
        var value = read();
        depth--;
        return value;
    }

    private object Items()
    {
        var found = new List<object>();
        if (Takes(']')) return found;
        do found.Add(Value());
        while (Takes(','));
        return Takes(']') ? found : throw Bad("comma");
    }

    private object Entries()
    {
        var found = new Dictionary<string, object>();
        if (Takes('}')) return found;
        do
        {
            Blank();
            var key = Quoted();
            if (!Takes(':')) throw Bad("colon");
            found[key] = Value();
        }
        while (Takes(','));
        return Takes('}') ? found : throw Bad("comma");
    }

    private object Word(string word, object value)
    {
        if (string.CompareOrdinal(text, at, word, 0, word.Length) != 0) throw Bad("value");
        at += word.Length;
        return value;
    }

    private object Digits()
    {
        var start = at;
        while (at < text.Length && "0123456789+-.eE".IndexOf(text[at]) >= 0) at++;
        var found = text.Substring(start, at - start);
        if (!Number.IsMatch(found))
        {
            at = start;
            throw Bad("value");
        }
        long whole;
        if (long.TryParse(found, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out whole)) return whole;
        double real;
        var fits = double.TryParse(found, NumberStyles.Float, CultureInfo.InvariantCulture, out real);
        return fits ? real : double.PositiveInfinity;
    }

    private string Quoted()
    {
        if (Peek() != '"') throw Bad("text");
        at++;
        var found = new StringBuilder();
        while (Peek() != '"')
        {
            if (Peek() < ' ') throw Bad("end of the text");
            found.Append(Peek() == '\\' ? Escape() : text[at++]);
        }
        at++;
        return found.ToString();
    }

    private char Escape()
    {
        at += 2;
        var sign = at <= text.Length ? text[at - 1] : '\0';
        if (sign == 'u') return Hexadecimal();
        var place = "\"\\/bfnrt".IndexOf(sign);
        return place < 0 ? throw Bad("escape") : "\"\\/\b\f\n\r\t"[place];
    }

    private char Hexadecimal()
    {
        var digits = at + 4 <= text.Length ? text.Substring(at, 4) : "";
        if (!Regex.IsMatch(digits, @"^[0-9a-fA-F]{4}\z")) throw Bad("four hexadecimal digits");
        at += 4;
        return (char)int.Parse(digits, NumberStyles.HexNumber, CultureInfo.InvariantCulture);
    }
}

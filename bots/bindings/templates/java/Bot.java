import java.util.List;
import java.util.Map;

/** @title@: a bot of mine. README.md says what it is asked, what it sees and what it may answer. */
class Bot {
    /** A legal answer to `turn.ask()`; `turn.view()` is what your seat may know. What is better is for you to find. */
    static Answer choose(Turn turn) {
@cases@        throw new IllegalArgumentException("a question of an unknown kind: " + turn.ask());
    }

    public static void main(String[] arguments) throws Exception {
        Boardroom.play(Bot::choose);
    }
}
